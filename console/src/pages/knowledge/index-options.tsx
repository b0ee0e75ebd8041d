/** The indexes that can be searched. */

type Props = {
  environments: readonly string[];
  /** An environment; undefined for the published index. */
  chosen: string | undefined;
};

/** An environment of a link stays a choice, although it is not in the list. */
export const IndexOptions = ({ environments, chosen }: Props) => (
  <>
    <option value="">Published index</option>
    {[...new Set([...environments, ...(chosen ? [chosen] : [])])].map((one) => (
      <option key={one} value={one}>
        Environment {one}
      </option>
    ))}
  </>
);
