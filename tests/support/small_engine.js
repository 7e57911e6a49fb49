/**
 * Loaded before anything else: takes away what engines other than V8 may lack. The runtime has references of its own.
 * Messages between threads may only hold what every engine can copy: no errors, maps, sets, dates or patterns.
 */
Reflect.deleteProperty(globalThis, "WebAssembly");
Reflect.deleteProperty(globalThis, "Intl");
Reflect.deleteProperty(Error, "captureStackTrace");
Reflect.deleteProperty(Error, "stackTraceLimit");

const ODD = [Error, Map, Set, Date, RegExp, Boolean, Number, String, Blob];

function refuseOdd(value, seen = new Set()) {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  const odd = ODD.find((type) => value instanceof type);
  if (odd !== undefined) {
    throw new TypeError(`small engine: a ${odd.name} cannot be copied to another thread`);
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return;
  for (const part of Object.values(value)) refuseOdd(part, seen);
}

function checked(owner, name) {
  const original = owner?.[name];
  if (typeof original !== "function") return;
  owner[name] = function (message, ...rest) {
    refuseOdd(message);
    return original.call(this, message, ...rest);
  };
}

checked(globalThis, "structuredClone");
checked(globalThis, "postMessage"); // in a Worker
checked(globalThis.Worker?.prototype, "postMessage");
checked(globalThis.MessagePort?.prototype, "postMessage");
checked(globalThis.BroadcastChannel?.prototype, "postMessage");
