package org.railyard.lnet.nid;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.NetType.AddressForm;

/**
 * A set of nets, as selection rules name them: {@code tcp}, {@code o2ib3}, {@code tcp[1-3]}, {@code tcp*}, {@code *}
 * (spec 01 §1.4). Immutable; matching allocates nothing.
 */
public final class NetRange {
    private static final NumberSet ALL_NUMBERS = NumberSet.between(0, Net.MAX_NUMBER);

    /** Null stands for every type. */
    private final @Nullable NetType type;

    private final NumberSet numbers;

    private NetRange(@Nullable NetType type, NumberSet numbers) {
        this.type = type;
        this.numbers = numbers;
    }

    /**
     * Reads a net range. A name without a number is the net with number 0.
     *
     * @throws NidFormatException if the text is none
     */
    public static NetRange parse(String text) {
        TextCursor in = TextCursor.over(text);
        NetRange range = read(in);
        in.expectEnd("the end of the net range");
        return range;
    }

    /** Reads a net range up to where it ends. */
    static NetRange read(TextCursor in) {
        if (in.accept('*')) {
            return new NetRange(null, ALL_NUMBERS);
        }
        NetType type = readType(in, "'*'");
        if (type == NetType.LO) {
            return new NetRange(type, NumberSet.single(0));
        }
        if (in.accept('*')) {
            return new NetRange(type, ALL_NUMBERS);
        }
        int next = in.peek();
        boolean numbered = next == '[' || (next >= '0' && next <= '9');
        return new NetRange(type, numbered ? NumberSet.read(in, Net.MAX_NUMBER, "a net number") : NumberSet.single(0));
    }

    /** Reads the name of a net type, without its number. */
    static NetType readType(TextCursor in, String orElse) {
        for (NetType type : NetType.values()) {
            if (in.accept(type.text())) {
                return type;
            }
        }
        String names = Arrays.stream(NetType.values()).map(NetType::text).collect(Collectors.joining(", "));
        throw in.fail("a net name, one of " + names + (orElse.isEmpty() ? "" : ", or " + orElse));
    }

    /** Returns how addresses on these nets are written, or null if that differs among them. */
    @Nullable
    AddressForm addressForm() {
        return type == null ? null : type.addressForm();
    }

    /** Tells whether a net is meant. */
    public boolean matches(Net net) {
        return matches(net.typeNumber(), net.number());
    }

    /** Tells whether the net of a NID is meant. */
    public boolean matches(Nid nid) {
        return matches(nid.typeNumber(), nid.head() & Net.MAX_NUMBER);
    }

    private boolean matches(int typeNumber, int number) {
        return (type == null || type.number() == typeNumber) && numbers.matches(number);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof NetRange other && type == other.type && numbers.equals(other.numbers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, numbers);
    }

    /** Returns a text that reads back as an equal range. */
    @Override
    public String toString() {
        if (type == null) {
            return "*";
        }
        if (numbers.equals(ALL_NUMBERS)) {
            return type.text() + "*";
        }
        String number = numbers.toString();
        return number.equals("0") ? type.text() : type.text() + number;
    }
}
