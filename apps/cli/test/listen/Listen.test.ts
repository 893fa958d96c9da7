import { describe, expect, it } from "vitest"
import * as Listen from "../../src/listen/Listen.js"

describe("the error of a server that cannot listen", () => {
  it.each([
    ["EADDRINUSE", "Port 80 is in use. Pass another --port."],
    ["EACCES", "Port 80 requires more rights. Pass a --port above 1023."],
    ["EPERM", "Port 80 can't be used (EPERM). Pass another --port."],
  ])("names the port and the fix for %s", (code, message) => {
    expect(Listen.listenError(Object.assign(new Error(), { code }), 80).message).toBe(message)
  })
})
