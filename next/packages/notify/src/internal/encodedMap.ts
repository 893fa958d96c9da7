/** A map that encodes each value once: every change stores all values, but only one is new. */
import { identity } from "effect/Function"

export class EncodedMap<Value> extends Map<string, Value> {
  readonly #texts = new Map<string, string>()
  readonly #encode: (value: Value) => unknown

  constructor(encode: (value: Value) => unknown = identity) {
    super()
    this.#encode = encode
  }

  override set(key: string, value: Value): this {
    this.#texts.set(key, JSON.stringify(this.#encode(value)))
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    this.#texts.delete(key)
    return super.delete(key)
  }

  /** The values as a JSON array. */
  text(): string {
    return `[${Array.from(this.#texts.values()).join()}]`
  }
}
