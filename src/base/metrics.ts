/** Counts of calls, for Prometheus to collect. */

export interface CallRecord {
  tool: string;
  outcome: "success" | "error" | "cancelled";
  durationMs: number;
  responseBytes: number;
  /** Whether the fence or an allowlist refused it. */
  denied: boolean;
  /** The error's code, if it was one. */
  code?: string | undefined;
  /** Who called, and about what, as in the log. */
  client?: string | undefined;
  session?: string | undefined;
  where?: Readonly<Record<string, unknown>> | undefined;
}

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300];

interface ToolNumbers {
  success: number;
  error: number;
  cancelled: number;
  seconds: number;
  /** How many calls took at most as long as the bound at the same index. */
  buckets: number[];
}

export class Metrics {
  readonly #tools = new Map<string, ToolNumbers>();
  #responseBytes = 0;
  #denials = 0;
  #cacheLookups = 0;
  #cacheHits = 0;

  /** Called for every record, if set. */
  onRecord: ((record: CallRecord) => void) | undefined;

  record(record: CallRecord): void {
    this.onRecord?.(record);
    const { tool, outcome, durationMs, responseBytes, denied } = record;
    let numbers = this.#tools.get(tool);
    if (numbers === undefined) {
      numbers = { success: 0, error: 0, cancelled: 0, seconds: 0, buckets: BUCKETS.map(() => 0) };
      this.#tools.set(tool, numbers);
    }
    const seconds = durationMs / 1000;
    numbers[outcome]++;
    numbers.seconds += seconds;
    const { buckets } = numbers;
    for (let i = 0; i < BUCKETS.length; i++) {
      if (seconds <= (BUCKETS[i] ?? 0)) buckets[i] = (buckets[i] ?? 0) + 1;
    }
    this.#responseBytes += responseBytes;
    if (denied) this.#denials++;
  }

  /** How many files a search looked up in the cache, and how many of them it did not have to open. */
  recordSearchCache(lookups: number, hits: number): void {
    this.#cacheLookups += lookups;
    this.#cacheHits += hits;
  }

  /** In Prometheus's text format. `gauges` are appended as they are. */
  render(gauges: Record<string, number>): string {
    const lines: string[] = [];
    const head = (name: string, type: string, help: string) =>
      lines.push(`# HELP paddock_${name} ${help}`, `# TYPE paddock_${name} ${type}`);
    head("tool_calls_total", "counter", "Tool calls by tool and outcome.");
    for (const [name, numbers] of this.#tools) {
      const tool = escaped(name);
      for (const outcome of ["success", "error", "cancelled"] as const) {
        lines.push(`paddock_tool_calls_total{tool="${tool}",outcome="${outcome}"} ${numbers[outcome]}`);
      }
    }
    head("tool_call_duration_seconds", "histogram", "How long tool calls took.");
    for (const [plain, { success, error, cancelled, seconds, buckets }] of this.#tools) {
      const tool = escaped(plain);
      const count = success + error + cancelled;
      const name = "paddock_tool_call_duration_seconds";
      buckets.forEach((below, i) => lines.push(`${name}_bucket{tool="${tool}",le="${BUCKETS[i]}"} ${below}`));
      lines.push(`${name}_bucket{tool="${tool}",le="+Inf"} ${count}`);
      lines.push(
        `${name}_sum{tool="${tool}"} ${seconds.toFixed(6)}`,
        `${name}_count{tool="${tool}"} ${count}`,
      );
    }
    head("response_bytes_total", "counter", "Bytes of text in answers to tool calls.");
    lines.push(`paddock_response_bytes_total ${this.#responseBytes}`);
    head("denials_total", "counter", "Calls refused by the fence or an allowlist.");
    lines.push(`paddock_denials_total ${this.#denials}`);
    head("search_cache_lookups_total", "counter", "Files that a search asked its cache about.");
    lines.push(`paddock_search_cache_lookups_total ${this.#cacheLookups}`);
    head("search_cache_hits_total", "counter", "Files that a search did not open thanks to its cache.");
    lines.push(`paddock_search_cache_hits_total ${this.#cacheHits}`);
    for (const [name, value] of Object.entries(gauges)) {
      head(name, name.endsWith("_total") ? "counter" : "gauge", HELP[name] ?? name);
      lines.push(`paddock_${name} ${value}`);
    }
    return lines.join("\n") + "\n";
  }
}

/** A label's value may contain anything, but these three characters only in this form. */
function escaped(label: string): string {
  return label.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

const HELP: Record<string, string> = {
  sessions: "Open sessions.",
  calls_in_flight: "Calls not answered yet.",
  lock_waits_total: "How often a call had to wait for a lock.",
  requests_total: "Requests received.",
  errors_total: "Requests answered with an error.",
  uptime_seconds: "Seconds since the start.",
};
