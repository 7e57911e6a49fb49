/** Preloaded by a test: removes what engines other than V8 may lack. The runtime has its own references to it. */
Reflect.deleteProperty(globalThis, "WebAssembly");
Reflect.deleteProperty(globalThis, "Intl");
Reflect.deleteProperty(Error, "captureStackTrace");
Reflect.deleteProperty(Error, "stackTraceLimit");
