/** What views share: requests to the server, keys, sizes. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Change } from "../../src/console/api_types.ts";
import type { ApiError } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import type { Store } from "../model/store.ts";

/** The store's value; the view is drawn again when it is replaced. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  useEffect(() => store.listen(() => redraw({})), [store]);
  return store.value;
}

export interface Asked<T> {
  /** The answer to the last request that was answered, which may be an earlier one. */
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly loading: boolean;
  again(): void;
}

/** Asks when `key` changes; the previous answer stays until the new one comes. */
export function useAsked<T>(
  app: Console,
  { key, ask }: { key: string; ask: (signal: AbortSignal) => Promise<T> },
): Asked<T> {
  const [state, setState] = useState<{ value: T | null; error: ApiError | null; loading: boolean }>({
    value: null,
    error: null,
    loading: true,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, error: null, loading: true }));
    ask(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ value, error: null, loading: false }),
      (thrown) => {
        const error = app.failed(thrown);
        if (!stop.signal.aborted && error !== undefined) setState({ value: null, error, loading: false });
      },
    );
    return () => stop.abort();
  }, [key, turn]);
  return { ...state, again: () => setTurn((turn) => turn + 1) };
}

const SETTLE_MS = 500;

/** Asks again shortly after a matching event, and after reconnecting. */
export function useAgain(
  app: Console,
  again: () => void,
  fits: (change: Change) => boolean = () => true,
): void {
  const latest = useRef({ again, fits });
  latest.current = { again, fits };
  useEffect(() => {
    let timer: number | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current.again();
      }, SETTLE_MS);
    };
    const ends = [
      app.live.on("change", (change) => latest.current.fits(change) && soon()),
      app.live.on("reload", soon),
      app.live.on("hello", soon),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, []);
}

/** Single keys, unless a person is typing, holds down a modifier, or has a dialog open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (isWritten(event.target) && event.key !== "Escape") return;
      if (event.key === "Enter" && document.activeElement !== document.body) return; // links and buttons handle the key themselves
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement;
}

/** The size of an element, measured whenever it changes. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** The current time, updated regularly. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
