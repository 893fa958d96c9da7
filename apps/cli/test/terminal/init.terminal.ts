/** The questions of `vigil init` in a terminal window. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open, type Window } from "./tmux.js"

const path = (window: Window) => join(window.home, ".config", "vigil", "config.json")

const settings = (window: Window): unknown => JSON.parse(readFileSync(path(window), "utf8"))

/** Installs a shell script named `az`. */
const installAz = ({ home }: Window, script: string) => {
  const file = join(home, ".programs", "az")
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

const listAccounts = `echo '[{"id":"id-1","name":"One"},{"id":"id-2","name":"Two\\u001b[2J\\u202e","isDefault":true}]'`

/** Waits for each question, and types its answer. */
const answer = (window: Window, answers: ReadonlyArray<readonly [question: string, answer: string]>) =>
  Effect.forEach(answers, ([question, answer], index) =>
    Effect.gen(function* () {
      // A question that is asked again is the last line.
      yield* window.waitFor(new RegExp(`${question}[^\\n]*\\]: $|${question}[^\\n]*\\]:$`))
      yield* window.type(answer)
      if (index < answers.length - 1) yield* window.waitFor(new RegExp(`\\]: ?${answer}\\n`))
    }),
  )

const service = ["azure, or the base URL", "https://x.example"] as const
const vendor = ["Vendor in the path", "Acme"] as const
const command = ["Command that prints a token", "print-token x"] as const
const subscription = ["IDs of subscriptions", "sub-1"] as const

describe("vigil init in a terminal", () => {
  it.live("asks all questions, and asks again after wrong answers", () =>
    Effect.gen(function* () {
      const window = yield* open({ columns: 100 })
      yield* window.enter("vigil init")
      yield* answer(window, [
        [service[0], "nowhere"],
        service,
        [vendor[0], "a/b"],
        vendor,
        [command[0], "./print"],
        command,
        [subscription[0], "a/b"],
        subscription,
      ])
      expect((yield* window.result).code).toBe(0)
      const own = { healthBaseUrl: "https://x.example", healthVendor: "Acme" }
      expect(settings(window)).toEqual({ ...own, tokenCommand: ["print-token", "x"], subscriptions: ["sub-1"] })
    }),
  )

  it.live("takes empty answers, with all subscriptions of the Azure CLI", () =>
    Effect.gen(function* () {
      const window = yield* open({ columns: 100 })
      installAz(window, listAccounts)
      yield* window.enter("vigil init")
      yield* answer(window, [
        [service[0], ""],
        ["Subscriptions to read", ""],
      ])
      const { code, lines } = yield* window.result
      expect(code).toBe(0)
      expect(lines).toContain("1. Two (id-2)")
      expect(settings(window)).toMatchObject({ subscriptions: { Two: "id-2", One: "id-1" } })
    }),
  )

  it.live("goes on after Ctrl-Z", () =>
    Effect.gen(function* () {
      const window = yield* open({ columns: 100 })
      yield* window.enter(`vigil init --base-url ${service[1]}`)
      yield* window.waitFor(vendor[0])
      yield* window.press("C-z")
      yield* window.result
      yield* window.enter("fg")
      yield* answer(window, [vendor, [command[0], ""], [subscription[0], ""]])
      expect((yield* window.result).code).toBe(0)
      expect(settings(window)).toEqual({ healthBaseUrl: service[1], healthVendor: vendor[1] })
    }),
  )

  it.live.each([
    ["the service", [service]],
    ["the vendor", [service, vendor]],
    ["the token command", [service, vendor, command]],
    ["the subscription", [service, vendor, command, subscription]],
    [
      "the subscription of the Azure CLI",
      [
        [service[0], ""],
        ["Subscriptions to read", ""],
      ],
    ],
    [
      "a hanging Azure CLI",
      [
        [service[0], ""],
        ["Waiting for az", ""],
      ],
    ],
  ] as const)("is interrupted by Ctrl-C at %s", ([name, questions]) =>
    Effect.gen(function* () {
      const window = yield* open({ columns: 100 })
      const isHanging = name.startsWith("a hanging")
      installAz(window, isHanging ? "trap '' INT TERM; echo $$ > pid; sleep 1000" : listAccounts)
      yield* window.enter("stty -a > before; vigil init")
      yield* answer(window, questions.slice(0, -1))
      yield* window.waitFor(questions.at(-1)?.[0] ?? "")
      yield* window.press("C-c")
      expect((yield* window.result).code).toBe(130)
      expect(existsSync(path(window))).toBe(false)
      yield* window.enter("stty -a > after")
      yield* window.result
      const [before, after] = ["before", "after"].map((file) => readFileSync(join(window.home, file), "utf8"))
      expect(after).toBe(before)
    }),
  )
})
