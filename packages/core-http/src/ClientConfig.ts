/** The options of a client as configuration: what `layerConfig` of each client takes. */
import * as Config from "effect/Config"

/** The options of a client as a `Config`, or as a record in which each option is a value or a `Config` of one. What the record leaves out
 * is read by its default name.
 *
 * `Config.Config.Wrap` is stricter: it needs a `Config` for each option that is not a record.
 * @category models
 * @since 0.1.0 */
export type ClientConfig<Options> =
  | Config.Config<Options>
  | { readonly [Key in keyof Options]?: Options[Key] | Config.Config<Options[Key]> | undefined }

/** Makes one `Config` of the options. `defaults` are read for the options that a record leaves out, or that are `undefined` in it.
 * @category constructors
 * @since 0.1.0 */
export const unwrap = <Options>(
  options: ClientConfig<Options>,
  defaults: { readonly [Key in keyof Options]: Config.Config<Options[Key]> },
): Config.Config<Options> => {
  if (Config.isConfig(options)) return options
  const given = Object.entries<unknown>(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Config.isConfig(value) ? value : Config.succeed(value)] as const)
  const all: Config.Config<unknown> = Config.all({ ...defaults, ...Object.fromEntries(given) })
  // `Config.all` loses the names of a generic record.
  return all as Config.Config<Options>
}
