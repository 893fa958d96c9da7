/** The checks of single fields, which the generated checks of `checks.ts` use. */
import { isTimestamp } from "../Timestamp.js"

export type Fields = Readonly<Record<string, unknown>>

export const isRecord = (input: unknown): input is Fields =>
  typeof input === "object" && input !== null && !Array.isArray(input)

/** A field may be `null` or missing, but not `undefined`. */
export const isAbsent = (value: unknown, name: string, input: Fields): boolean => value === null || !(name in input)

export const isText = (value: unknown, name: string, input: Fields): boolean =>
  typeof value === "string" || isAbsent(value, name, input)

export const isFlag = (value: unknown, name: string, input: Fields): boolean =>
  typeof value === "boolean" || isAbsent(value, name, input)

export const isNumber = (value: unknown, name: string, input: Fields): boolean =>
  Number.isFinite(value) || isAbsent(value, name, input)

export const isWhole = (value: unknown, name: string, input: Fields, min: number, max: number): boolean =>
  Number.isInteger(value) ? Number(value) >= min && Number(value) <= max : isAbsent(value, name, input)

export const isTime = (value: unknown, name: string, input: Fields): boolean =>
  typeof value === "string" ? isTimestamp(value) : isAbsent(value, name, input)

export const isString = (value: unknown): boolean => typeof value === "string"

export const isListOf = (value: unknown, name: string, input: Fields, check: (item: unknown) => boolean): boolean => {
  if (!Array.isArray(value)) return isAbsent(value, name, input)
  for (const item of value) if (!check(item)) return false
  return true
}
