import { Page, Paging } from "@vigil/paging"
import { Console, Effect, Stream } from "effect"

const planets = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]

// Any service whose pages lead to the next one: here by an offset.
const fetchPage = (offset: number) =>
  Effect.succeed(
    offset + 3 < planets.length
      ? Page.withNext(planets.slice(offset, offset + 3), offset + 3)
      : Page.last(planets.slice(offset)),
  )

const program = Paging.items({ first: 0, next: fetchPage }).pipe(Stream.runForEach((planet) => Console.log(planet)))

await Effect.runPromise(program)
