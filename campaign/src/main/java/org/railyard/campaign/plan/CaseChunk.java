package org.railyard.campaign.plan;

/**
 * Some cases in a row. With its plan it says all that its result depends on.
 *
 * @param index its number in the plan, from 0
 * @param first its first case
 * @param cases how many
 */
public record CaseChunk(int index, long first, int cases) {
    /** Returns the first case behind it. */
    public long end() {
        return first + cases;
    }

    @Override
    public String toString() {
        return "chunk %d (cases %d to %d)".formatted(index, first, end() - 1);
    }
}
