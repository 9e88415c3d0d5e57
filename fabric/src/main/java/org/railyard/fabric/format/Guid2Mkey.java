package org.railyard.fabric.format;

import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** OpenSM's {@code guid2mkey}: M_Keys by port GUID, kept from run to run. Immutable; no error tells a key. */
public final class Guid2Mkey {
    private final Map<Long, Long> keys;

    private Guid2Mkey(Map<Long, Long> keys) {
        this.keys = keys;
    }

    /**
     * Reads the file. Of a GUID that comes twice the first record counts.
     *
     * @throws FormatException if a record is malformed
     */
    public static Guid2Mkey parse(CharSequence text) {
        Map<Long, Long> keys = new LinkedHashMap<>();
        LineScanner in = new LineScanner(text);
        while (in.nextLine()) {
            if (in.onlyBlanksLeft()) {
                continue;
            }
            try {
                long guid = in.hex("port GUID");
                in.expectBlanks();
                long key = in.hex("M_Key");
                in.expectEnd();
                keys.putIfAbsent(guid, key);
            } catch (FormatException e) {
                // It shows what was found, which may be most of a key.
                throw new FormatException(
                        in.line(),
                        in.position() + 1,
                        "something else",
                        "a port GUID, a blank and an M_Key, both 0x and up to 16 hex digits, and nothing more");
            }
        }
        return new Guid2Mkey(keys);
    }

    /** Makes records of M_Keys by port GUID, by ascending GUID. */
    public static Guid2Mkey of(Map<Long, Long> keys) {
        Map<Long, Long> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(keys);
        return new Guid2Mkey(sorted);
    }

    /** Returns the M_Keys by port GUID, in the order of the file. */
    public Map<Long, Long> keys() {
        return Collections.unmodifiableMap(keys);
    }

    /** Returns the file. */
    public String text() {
        StringBuilder out = new StringBuilder();
        HexFormat hex = HexFormat.of();
        keys.forEach((guid, key) -> out.append("0x")
                .append(hex.toHexDigits(guid))
                .append(" 0x")
                .append(hex.toHexDigits(key))
                .append("\n\n"));
        return out.toString();
    }
}
