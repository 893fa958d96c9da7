/** Where the state of a watch is stored. */
import { all, type ApiVersion } from "@vigil/health-schema/ApiVersion"
import type { List } from "./state.js"

/** FNV-1a with 64 bits, as hexadecimal digits. */
const hash = (text: string): string => {
  let value = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n)
  return value.toString(16).padStart(16, "0")
}

/**
 * The key of a state, which does not depend on the case of the subscription's ID, and those of earlier releases. Release 0.3 took the ID as it was
 * written: as it is now, or in capitals. Release 0.2 also had the version: first that of the list, then the newest.
 */
export const keysOf = (service: string, { apiVersion, filter, subscription }: List<ApiVersion>) => {
  // Services and filters can be long, so a key has their hash.
  const keyOf = (id: string, ...list: ReadonlyArray<string>) =>
    `watch/${id}/${hash(JSON.stringify([service, id, ...list]))}`
  const written = [subscription, subscription.toUpperCase()]
  const versions = [...new Set([apiVersion, ...all])]
  return {
    key: keyOf(subscription.toLowerCase(), filter),
    earlier: [
      ...written.map((id) => keyOf(id, filter)),
      ...written.flatMap((id) => versions.map((version) => keyOf(id, version, filter))),
    ],
  }
}
