/** Where the state of a watch is stored. */
import { all, type ApiVersion } from "@vigil/health-schema/ApiVersion"
import type { List } from "./state.js"

/** FNV-1a with 64 bits, as hexadecimal digits. */
const hash = (text: string): string => {
  let value = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n)
  return value.toString(16).padStart(16, "0")
}

/** The key of a state, and those that release 0.2 used, which had the version: first that of the list, then the newest. */
export const keysOf = (service: string, { apiVersion, filter, subscription }: List<ApiVersion>) => {
  // Services and filters can be long, so a key has their hash.
  const keyOf = (...list: ReadonlyArray<string>) => `watch/${subscription}/${hash(JSON.stringify(list))}`
  return {
    key: keyOf(service, subscription, filter),
    earlier: [...new Set([apiVersion, ...all])].map((version) => keyOf(service, subscription, version, filter)),
  }
}
