/** Keys of bounded length. */
import * as Hash from "effect/Hash"
import * as SafeText from "@vigil/health-text/SafeText"

/** 16 hexadecimal digits. */
export const hash = (text: string): string =>
  [text, `${text.length}${text}`].map((part) => (Hash.string(part) >>> 0).toString(16).padStart(8, "0")).join("")

/** Cuts a key. Different keys stay different: a hash replaces the end. */
export const fitKey = (key: string, limit: number): string =>
  key.length <= limit ? SafeText.cut(key, limit) : `${SafeText.cut(key, limit - 17)}-${hash(key)}`
