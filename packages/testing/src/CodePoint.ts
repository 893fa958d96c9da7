/** An arbitrary for strings of any characters. */
import * as FastCheck from "fast-check"

/** Unicode characters, as the `unit` of strings. The unit `binary` of fast-check has the same characters, but takes two seconds to build. */
export const arbitrary: FastCheck.Arbitrary<string> = FastCheck.integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
