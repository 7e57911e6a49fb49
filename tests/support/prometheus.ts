/** Reads Prometheus' text format as strictly as a collector does; throws on anything it would refuse. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\[\\\\"n])*)"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL},?)*)\\})? (\\S+)$`);

export function parsePrometheus(text: string): Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line);
    if (comment !== null) {
      const [, kind = "", name = "", rest = ""] = comment;
      if (kind === "TYPE" && types.has(name)) throw new Error(`a second TYPE of ${name}`);
      if (kind === "TYPE" && !/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(line);
      if (kind === "TYPE") types.set(name, rest);
      continue;
    }
    const sample = parseSample(line);
    const family = sample.name.replace(/_(bucket|sum|count)$/, "");
    if (!types.has(sample.name) && types.get(family) !== "histogram") throw new Error(`no TYPE: ${line}`);
    samples.push(sample);
  }
  for (const [name, type] of types) if (type === "histogram") checkHistogram(name, samples);
  const keys = samples.map(({ name, labels }) => name + JSON.stringify(labels));
  if (new Set(keys).size < keys.length) throw new Error("a sample occurs twice");
  return samples;
}

/** The value of the one sample with this name and at least these labels. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  const found = samples.filter((sample) =>
    sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
  );
  if (found.length !== 1) throw new Error(`${found.length} samples of ${name} ${JSON.stringify(labels)}`);
  return found[0]?.value ?? NaN;
}

function parseSample(line: string): Sample {
  const match = SAMPLE.exec(line);
  const value = Number(match?.at(-1)?.replace("+Inf", "Infinity"));
  if (match === null || Number.isNaN(value)) throw new Error(`not a sample: ${line}`);
  const pairs = [...(match[2] ?? "").matchAll(new RegExp(LABEL, "g"))];
  const labels = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, unescaped(value)]));
  return { name: match[1] ?? "", labels, value };
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character) => character === "n" ? "\n" : character);
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
    const buckets = samples.filter((sample) =>
      sample.name === `${name}_bucket` &&
      Object.entries(count.labels).every(([key, value]) => sample.labels[key] === value)
    );
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace("+Inf", "Infinity")));
    const rising = (values: number[]) => values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0));
    if (bounds.at(-1) !== Infinity || !rising(bounds)) throw new Error(`bounds of ${name}: ${bounds}`);
    if (!rising(buckets.map(({ value }) => value))) throw new Error(`${name} does not count up`);
    if (buckets.at(-1)?.value !== count.value) throw new Error(`${name}_count is not the last bucket`);
    valueOf(samples, `${name}_sum`, count.labels);
  }
}
