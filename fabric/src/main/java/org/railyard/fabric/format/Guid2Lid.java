package org.railyard.fabric.format;

import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;

/** OpenSM's {@code guid2lid}: LIDs by port GUID, kept from run to run (spec 31 §8). Immutable. */
public final class Guid2Lid {
    private static final int LID_DIGITS = 4;

    private final Map<Long, Range> ranges;
    private final Map<Long, Integer> lines;
    private final SortedMap<Integer, Long> repeated;

    private Guid2Lid(Map<Long, Range> ranges, Map<Long, Integer> lines, SortedMap<Integer, Long> repeated) {
        this.ranges = ranges;
        this.lines = lines;
        this.repeated = repeated;
    }

    /**
     * LIDs of a port.
     *
     * @param min base LID
     * @param max last LID; equal to the base LID for LMC 0
     */
    public record Range(int min, int max) {
        /** Returns the LMC. */
        public int lmc() {
            return Integer.numberOfTrailingZeros(Integer.highestOneBit(max - min + 1));
        }
    }

    /**
     * Reads the file. Of a GUID that comes twice the first record counts; {@link #repeated} has the others.
     *
     * @throws FormatException if a record is malformed or its LIDs are not a range of 2^LMC unicast LIDs
     */
    public static Guid2Lid parse(CharSequence text) {
        Map<Long, Range> ranges = new LinkedHashMap<>();
        Map<Long, Integer> lines = new TreeMap<>();
        SortedMap<Integer, Long> repeated = new TreeMap<>();
        LineScanner in = new LineScanner(text);
        while (in.nextLine()) {
            if (in.onlyBlanksLeft()) {
                continue;
            }
            long guid = in.hex("port GUID");
            in.expectBlanks();
            int min = in.hex(Lids.MIN_UNICAST, Lids.MAX_UNICAST, "smallest LID");
            in.expectBlanks();
            int start = in.position();
            int max = in.hex(Lids.MAX_UNICAST, "largest LID");
            int count = max - min + 1;
            if (count < 1 || count > 1 << Lids.MAX_LMC || Integer.bitCount(count) != 1) {
                in.back(start);
                throw in.fail("the last of 1, 2, 4 … 128 LIDs from 0x%04x on".formatted(min));
            }
            in.expectEnd();
            if (ranges.putIfAbsent(guid, new Range(min, max)) == null) {
                lines.put(guid, in.line());
            } else {
                repeated.put(in.line(), guid);
            }
        }
        return new Guid2Lid(ranges, lines, repeated);
    }

    /** Makes the records of a fabric's end ports that have LIDs, by ascending GUID. */
    public static Guid2Lid of(Fabric fabric) {
        Map<Long, Range> ranges = new LinkedHashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.lid(port) != 0) {
                ranges.put(
                        fabric.portGuid(port),
                        new Range(fabric.lid(port), fabric.lid(port) + (1 << fabric.lmc(port)) - 1));
            }
        }
        return of(ranges);
    }

    /** Makes records of LIDs by port GUID, by ascending GUID. */
    public static Guid2Lid of(Map<Long, Range> ranges) {
        Map<Long, Range> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(ranges);
        return new Guid2Lid(sorted, Map.of(), Collections.emptySortedMap());
    }

    /** Returns the LIDs by port GUID, in the order of the file. */
    public Map<Long, Range> ranges() {
        return Collections.unmodifiableMap(ranges);
    }

    /** Returns the line, from 1, of the record of a port GUID; 0 if it was not read from a file. */
    public int line(long guid) {
        return lines.getOrDefault(guid, 0);
    }

    /** Returns the GUIDs of records that do not count, because an earlier one has their GUID, by line from 1. */
    public SortedMap<Integer, Long> repeated() {
        return Collections.unmodifiableSortedMap(repeated);
    }

    /**
     * Returns the fabric with the LIDs of these records; end ports without record have none.
     *
     * @throws org.railyard.fabric.model.FabricException if LIDs overlap
     */
    public Fabric apply(Fabric fabric) {
        int[] lid = new int[fabric.portCount()];
        int[] lmc = new int[fabric.portCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            Range range = fabric.isEndPort(port) ? ranges.get(fabric.portGuid(port)) : null;
            if (range != null) {
                lid[port] = range.min;
                lmc[port] = range.lmc();
            }
        }
        return fabric.withLids(lid, lmc);
    }

    /**
     * Returns the fabric with the LMCs of these records, where they have the base LID that the port has and it has no
     * LMC: {@code opensm-subnet.lst} does not tell it.
     *
     * @throws org.railyard.fabric.model.FabricException if LIDs overlap
     */
    public Fabric widen(Fabric fabric) {
        int[] lid = new int[fabric.portCount()];
        int[] lmc = new int[fabric.portCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            Range range = fabric.isEndPort(port) ? ranges.get(fabric.portGuid(port)) : null;
            lid[port] = fabric.lid(port);
            lmc[port] =
                    range != null && range.min == lid[port] && fabric.lmc(port) == 0 ? range.lmc() : fabric.lmc(port);
        }
        return fabric.withLids(lid, lmc);
    }

    /** Returns the file. Without a formatter, which would take milliseconds in the first sweep of a large fabric. */
    public String text() {
        StringBuilder out = new StringBuilder();
        HexFormat hex = HexFormat.of();
        ranges.forEach((guid, range) -> out.append("0x")
                .append(hex.toHexDigits(guid))
                .append(" 0x")
                .append(hex.toHexDigits(range.min, LID_DIGITS))
                .append(" 0x")
                .append(hex.toHexDigits(range.max, LID_DIGITS))
                .append("\n\n"));
        return out.toString();
    }
}
