import { describe, expect, it } from "@effect/vitest"
import { Link } from "@vigil/core-http"
import * as Result from "effect/Result"

const request = "https://service.example/subscriptions/s1/events?api-version=1"
const resolve = (link: string, from = request) => Link.resolve(new URL(from), link)

describe("Link.resolve", () => {
  it.each([
    [`${request}?$skipToken=a%2Bb%20c+d`, `${request}?$skipToken=a%2Bb%20c+d`],
    ["/a?b=c d&e='f'&g=ü#fragment", "https://service.example/a?b=c%20d&e=%27f%27&g=%C3%BC"],
    ["https://service.example:8443/a", "origin"],
    ["\\\\evil.example\\a", "origin"],
    ["https://service.example@evil.example/a", "userinfo"],
    ["https://[::1/a", "malformed"],
    ["javascript:alert(1)", "scheme"],
  ])("of %s is %s", (link, expected) => {
    expect(Result.getOrElse(resolve(link), ({ problem }) => problem)).toBe(expected)
  })

  it("compares IPv6 and IDN hosts as the URL parser normalizes them", () => {
    expect(Result.isSuccess(resolve("http://[0:0:0:0:0:0:0:1]:80/a", "http://[::1]/"))).toBe(true)
    expect(Result.isSuccess(resolve("https://bücher.example/a", "https://xn--bcher-kva.example/"))).toBe(true)
  })

  it("keeps only the origin of a refused link", () => {
    expect(resolve("https://evil.example/a?$skipToken=canary-77")).toEqual(
      Result.fail({ problem: "origin", origin: "https://service.example", target: "https://evil.example" }),
    )
  })
})

describe("Link.toAbsolute", () => {
  it.each([
    ["/a?b=c d#fragment", "https://service.example/a?b=c%20d"],
    ["?$skipToken=2", "https://service.example/subscriptions/s1/events?$skipToken=2"],
    [`${request}?$skipToken=a%2Bb+c`, `${request}?$skipToken=a%2Bb+c`],
    // These links are refused when they are requested.
    ["//evil.example/a", "https://evil.example/a"],
    ["file:///etc/passwd", "file:///etc/passwd"],
    ["http://", "http://"],
  ])("resolves %s to %s", (link, expected) => {
    expect(Link.toAbsolute(request, link)).toBe(expected)
  })
})
