/** The indexes that can be searched. */

type Props = {
  environments: readonly string[];
  /** An environment; undefined for the published index. */
  environment: string | undefined;
};

/** An environment of a link stays a choice, although it is not in the list. */
export const IndexOptions = ({ environments, environment }: Props) => (
  <>
    <option value="">Published index</option>
    {[...new Set([...environments, ...(environment ? [environment] : [])])].map((name) => (
      <option key={name} value={name}>
        Environment {name}
      </option>
    ))}
  </>
);
