import { expect, it } from "vitest"
import * as Contents from "../src/internal/contents.js"

it.each([
  [{ a: "x", b: [1] }, ["Parameters: a=x, b=[1]"]],
  ["x", ["Parameters: x"]],
  [[1], ["Parameters: [1]"]],
])("the parameters of an article are one line: %j", (parameters, items) => {
  const event = { properties: { article: { articleId: "A1", parameters } } }
  expect(Contents.details(event)).toEqual([{ title: "Article A1", parts: [], items }])
})
