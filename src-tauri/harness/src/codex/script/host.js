// What a program for `exec` finds as its globals. It is played again with each result that comes, so nothing in it may differ
// from one time to the next.
(() => {
  "use strict";
  const given = JSON.parse(globalThis.__given);
  delete globalThis.__given;
  const { parse, stringify } = JSON;
  const push = (list, item) => { list[list.length] = item; };
  const items = [], wanted = [], timers = [];
  const stored = { __proto__: null, ...given.stored };
  const exit = {};
  let calls = 0, timer = 0, now = 0, exited = false;

  const written = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "bigint") return String(value);
    const text = stringify(value);
    return text === undefined ? "undefined" : text;
  };
  const call = (name, input) => {
    const number = calls++;
    const known = given.results[number];
    if (known === undefined) {
      push(wanted, { name, input: input === undefined ? {} : parse(stringify(input) ?? "null") });
      return new Promise(() => {});
    }
    return "error" in known ? Promise.reject(known.error) : Promise.resolve(known.value);
  };
  const picture = (value) => {
    const url = typeof value === "string" ? value
      : value && typeof value.image_url === "string" ? value.image_url
      : value && value.type === "image" && typeof value.data === "string" ? `data:${value.mimeType};base64,${value.data}`
      : undefined;
    if (url === undefined || !/^data:[^,]*;base64,/.test(url))
      throw "Tool call failed: invalid image output. Pass a base64 data URI instead";
    return url;
  };
  const ours = (name) => () => { throw new Error(`Skill Workbench gives scripts no ${name}()`); };
  const fixed = (object, entries) => {
    for (const [name, value] of Object.entries(entries))
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  };

  const tools = {};
  for (const { name } of given.tools) tools[name] = (input) => call(name, input);
  fixed(globalThis, {
    tools,
    ALL_TOOLS: given.tools,
    clearTimeout(id) {
      const at = timers.findIndex((timer) => timer.id === id);
      if (at >= 0) timers.splice(at, 1);
    },
    setTimeout(callback, delay) {
      const due = now + (delay > 0 ? +delay : 0);
      push(timers, { id: ++timer, due, callback });
      return timer;
    },
    text(value) { if (!exited) push(items, { text: written(value) }); },
    image(value) { const image = picture(value); if (!exited) push(items, { image }); },
    audio: ours("audio"),
    generatedImage(result) { const image = picture(result); if (!exited) push(items, { image }); },
    store(key, value) {
      const text = stringify(value);
      if (text === undefined) throw new Error(`Unable to store "${key}". Only plain serializable objects can be stored.`);
      if (!exited) stored[key] = parse(text);
    },
    load(key) { return stored[key] === undefined ? undefined : parse(stringify(stored[key])); },
    notify(value) { if (!exited) push(items, { text: written(value) }); },
    yield_control() {},
    exit() { exited = true; throw exit; },
  });

  // Chance and the clock would make two plays differ.
  let seed = 1;
  Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const Clock = Date;
  const clock = () => { throw new Error("Skill Workbench gives scripts no clock; run `date` with exec_command"); };
  globalThis.Date = new Proxy(Clock, {
    apply: clock,
    construct: (target, list, made) => (list.length ? Reflect.construct(target, list, made) : clock()),
  });
  Clock.now = clock;
  Clock.prototype.constructor = globalThis.Date;
  for (const name of ["console", "Atomics", "SharedArrayBuffer", "WebAssembly", "performance", "queueMicrotask", "navigator"])
    delete globalThis[name];

  return {
    said: () => stringify({ items, wanted, stored, exited }),
    // The next of what waits for its time, which passes at once.
    next() {
      if (!timers.length || exited) return false;
      let first = 0;
      timers.forEach((timer, at) => { if (timer.due < timers[first].due) first = at; });
      const [{ due, callback }] = timers.splice(first, 1);
      now = due;
      callback();
      return true;
    },
    told(error) {
      if (error instanceof Error) {
        const lines = String(error.stack ?? "").split("\n").filter((line) => line.includes("exec_main.mjs"))
          .map((line) => line.replace(/^\s*at <[^>]*> \((.*)\)$/, "    at $1").replace(/^\s*at (?!exec_main)/, "    at "));
        return [`${error.name}: ${error.message}`, ...lines].join("\n");
      }
      return String(error);
    },
  };
})()
