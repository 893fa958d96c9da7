/** For `node --import`: functions of texts that throw for marked ones, as a defect of vigil or of a library would. Their message has the text. */
const dist = new URL("../../dist/", import.meta.url).href

for (const name of ["replace", "replaceAll", "toLowerCase"] as const) {
  const original: unknown = Object.getOwnPropertyDescriptor(String.prototype, name)?.value
  if (typeof original !== "function") throw new Error(`String has no ${name}`)
  Reflect.defineProperty(String.prototype, name, {
    value(this: string, ...args: ReadonlyArray<unknown>): unknown {
      if (this.includes(`BREAK-${name}`)) throw new Error(`${this}\n    at ${this} (${dist}${this}.js:1:1)`)
      return Reflect.apply(original, this, args)
    },
  })
}
