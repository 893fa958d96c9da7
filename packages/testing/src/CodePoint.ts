/** An arbitrary for strings of any characters. */
import * as FastCheck from "effect/FastCheck"

/** A Unicode character: a `unit` for strings. The unit `binary` of fast-check is the same, but takes two seconds and 100 MB to build. */
export const arbitrary: FastCheck.Arbitrary<string> = FastCheck.integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
