package org.railyard.lnet.nid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * NID ranges separated by blanks (spec 01 §1.4). Immutable; matching allocates nothing.
 *
 * @param ranges the ranges, at least one
 */
public record NidRangeList(List<NidRange> ranges) {
    /** Checks that there is a range. */
    public NidRangeList {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("a NID range list without a range");
        }
    }

    /**
     * Reads a list.
     *
     * @throws NidFormatException if the text is none
     */
    public static NidRangeList parse(String text) {
        TextCursor in = TextCursor.over(text);
        List<NidRange> ranges = new ArrayList<>();
        in.skipBlanks();
        do {
            ranges.add(NidRange.read(in));
            if (!in.atEnd() && !in.atBlank()) {
                throw in.fail("a blank or the end of the list");
            }
            in.skipBlanks();
        } while (!in.atEnd());
        return new NidRangeList(ranges);
    }

    /** Tells whether a NID is in one of the ranges. */
    public boolean matches(Nid nid) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).matches(nid)) {
                return true;
            }
        }
        return false;
    }

    /** Returns a text that reads back as an equal list. */
    @Override
    public String toString() {
        return ranges.stream().map(NidRange::toString).collect(Collectors.joining(" "));
    }
}
