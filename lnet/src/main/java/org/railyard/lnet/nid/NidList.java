package org.railyard.lnet.nid;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * NIDs separated by commas, with brackets that stand for several: {@code 10.0.[0-1].[1-5/2]@tcp,7@gni} (spec 12 §2.4).
 * Immutable.
 *
 * <p>Every item names certain NIDs, so wildcards and prefixes have no place here; an IPv6 address stands for itself.
 */
public final class NidList {
    /** Default limit for the NIDs of one list. */
    public static final int MAX_NIDS = 128;

    private record Item(AddressPattern address, Net net) {
        long count() {
            return switch (address) {
                case AddressPattern.Numbers numbers -> numbers.numbers().count();
                // Multiplied only while it cannot overflow: an octet set is as long as the text allows.
                case AddressPattern.Octets octets ->
                    octets.octets().stream()
                            .mapToLong(NumberSet::count)
                            .reduce(1, (a, b) -> Math.min(a * b, Integer.MAX_VALUE));
                case AddressPattern.Prefix _, AddressPattern.Any _ -> 1;
            };
        }

        void addTo(SequencedSet<Nid> nids) {
            switch (address) {
                case AddressPattern.Numbers numbers -> {
                    for (long number : numbers.numbers().values()) {
                        nids.add(Nid.of(net, (int) number));
                    }
                }
                case AddressPattern.Octets octets -> addOctets(nids, octets.octets(), 0, 0);
                case AddressPattern.Prefix prefix ->
                    nids.add(Nid.of(net, prefix.address().address()));
                case AddressPattern.Any _ -> throw new IllegalStateException("a wildcard in a NID list");
            }
        }

        private void addOctets(SequencedSet<Nid> nids, List<NumberSet> octets, int index, int address) {
            if (index == octets.size()) {
                nids.add(Nid.of(net, address));
                return;
            }
            for (long octet : octets.get(index).values()) {
                addOctets(nids, octets, index + 1, address << 8 | (int) octet);
            }
        }

        @Override
        public String toString() {
            return address + "@" + net;
        }
    }

    private final List<Item> items;
    private final List<Nid> nids;

    private NidList(List<Item> items, List<Nid> nids) {
        this.items = List.copyOf(items);
        this.nids = List.copyOf(nids);
    }

    /**
     * Reads a list of at most {@link #MAX_NIDS} NIDs.
     *
     * @throws NidFormatException if the text is none, or stands for too many NIDs
     */
    public static NidList parse(String text) {
        return parse(text, MAX_NIDS);
    }

    /**
     * Reads a list.
     *
     * @param maxNids most NIDs it may stand for, 1 or more
     * @throws NidFormatException if the text is none, or stands for too many NIDs
     */
    public static NidList parse(String text, int maxNids) {
        TextCursor in = TextCursor.over(text);
        List<Item> items = new ArrayList<>();
        SequencedSet<Nid> nids = new LinkedHashSet<>();
        long count = 0;
        do {
            in.skipBlanks();
            int start = in.position();
            Item item = readItem(in);
            count += item.count();
            if (count > maxNids) {
                in.moveTo(start);
                throw in.fail("at most " + maxNids + " NIDs in the list");
            }
            items.add(item);
            item.addTo(nids);
            in.skipBlanks();
        } while (in.accept(','));
        in.expectEnd("',' or the end of the list");
        return new NidList(items, List.copyOf(nids));
    }

    private static Item readItem(TextCursor in) {
        int end = endOfItem(in);
        TextCursor item = in.until(end).withoutTrailingBlanks();
        in.moveTo(end);
        int at = item.find('@');
        if (at < 0) {
            return checked(
                    item,
                    AddressPattern.readCountable(
                            item, Net.TCP.type().orElseThrow().addressForm()),
                    Net.TCP);
        }
        TextCursor address = item.until(at).withoutTrailingBlanks();
        TextCursor start = item.until(at);
        item.moveTo(at + 1);
        item.skipBlanks();
        Net net = Net.read(item);
        item.expectEnd("',' or the end of the list");
        return checked(
                start,
                AddressPattern.readCountable(address, net.type().orElseThrow().addressForm()),
                net);
    }

    private static Item checked(TextCursor at, AddressPattern address, Net net) {
        if (net.equals(Net.LO) && !address.toString().equals("0")) {
            throw at.fail("0, the only address on net lo");
        }
        return new Item(address, net);
    }

    /**
     * Returns the offset of the comma that ends this item, or of the end of the text; commas in brackets do not count.
     */
    private static int endOfItem(TextCursor in) {
        TextCursor scan = in.until(in.position() + in.remaining());
        boolean inBrackets = false;
        while (!scan.atEnd()) {
            int c = scan.peek();
            if (c == ',' && !inBrackets) {
                break;
            }
            inBrackets = c == '[' || (inBrackets && c != ']');
            scan.moveTo(scan.position() + 1);
        }
        return scan.position();
    }

    /** Returns the NIDs, each once, in the order they were written. Unmodifiable. */
    public List<Nid> nids() {
        return nids;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof NidList other && items.equals(other.items);
    }

    @Override
    public int hashCode() {
        return items.hashCode();
    }

    /** Returns the list in bracket form; it reads back as an equal list. */
    @Override
    public String toString() {
        return items.stream().map(Item::toString).collect(Collectors.joining(","));
    }
}
