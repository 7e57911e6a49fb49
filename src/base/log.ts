/**
 * Log lines: one per event, text or JSON, to one sink. Values are escaped, so a file name with a line break
 * cannot forge a second line. The caller chooses where the lines go (see stderr_sink.ts).
 */
import { shown } from "./shown.ts";
import { type LogLook, renderForTerminal } from "./log_terminal.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = typeof LOG_FORMATS[number];

export type LogFields = Record<string, unknown>;

export interface Logger {
  /** Whether lines of this level are written at all. */
  enabled(level: LogLevel): boolean;
  log(level: LogLevel, event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  level: LogLevel;
  format: LogFormat;
  /** Receives one finished line, without its line break. */
  write: (line: string, level: LogLevel) => void;
  /** How text looks. Default: plain. JSON is for programs and always looks the same. */
  look?: LogLook;
  now?: () => Date;
}

export function createLogger(options: LoggerOptions): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const { look = "plain" } = options;
  const render = options.format === "json" ? renderJson : renderText;
  const forTerminal = options.format === "text" && look !== "plain";
  const now = options.now ?? (() => new Date());
  const enabled = (level: LogLevel) => LOG_LEVELS.indexOf(level) >= threshold;
  const log = (level: LogLevel, event: string, fields: LogFields = {}) => {
    if (!enabled(level)) return;
    const time = now();
    options.write(
      forTerminal
        ? renderForTerminal({ time, level, event, fields, look, value: renderValue })
        : render({ timestamp: time.toISOString(), level, event, fields }),
      level,
    );
  };
  return {
    enabled,
    log,
    debug: (event, fields) => log("debug", event, fields),
    info: (event, fields) => log("info", event, fields),
    warn: (event, fields) => log("warn", event, fields),
    error: (event, fields) => log("error", event, fields),
  };
}

interface Line {
  timestamp: string;
  level: LogLevel;
  event: string;
  fields: LogFields;
}

function renderJson({ timestamp, level, event, fields }: Line): string {
  return shown(JSON.stringify({ timestamp, level, event, ...fields }, (_key, value) => cut(value)));
}

function renderText({ timestamp, level, event, fields }: Line): string {
  let line = `${timestamp} ${level.toUpperCase().padEnd(5)} ${event}`;
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) line += ` ${key}=${renderValue(value)}`;
  }
  return line;
}

function renderValue(value: unknown): string {
  if (typeof value === "string" && isPlain(value)) return cut(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return shown(JSON.stringify(value, (_key, inner) => cut(inner)) ?? String(value));
}

const LONGEST = 8_000;

/** A client chooses its paths and request ids: a megabyte of them must not push a refusal out of the log. */
function cut<T>(value: T): T | string {
  return typeof value === "string" && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}

/** Printable ASCII without spaces, quotes or backslashes needs no quoting. */
function isPlain(value: string): boolean {
  return /^[!#-[\]-~]+$/.test(value);
}
