package org.railyard.socklnd.handshake;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.socklnd.wire.Magic;

/** Recognises, by the first four bytes, what is no LNet: a mix-up of addresses or ports. */
public final class OtherProtocols {
    private static final Set<String> REQUESTS =
            Set.of("GET ", "HEAD", "POST", "PUT ", "DELE", "OPTI", "CONN", "TRAC", "PATC", "PRI ");
    private static final Set<String> ANSWERS = Set.of("HTTP", "<htm", "<HTM", "<!DO", "<!do");
    private static final int TLS_ALERT = 0x15;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_MAJOR = 3;

    private OtherProtocols() {}

    /**
     * Returns what the other side speaks, with what was found, for people.
     *
     * @param first at least four bytes
     * @return null if it is none of those known here
     */
    public static @Nullable String nameOf(MemorySegment first) {
        byte[] bytes = first.asSlice(0, Magic.BYTES).toArray(ValueLayout.JAVA_BYTE);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (REQUESTS.contains(text) || ANSWERS.contains(text)) {
            return "HTTP ('" + text.strip() + "')";
        }
        if ((bytes[0] == TLS_HANDSHAKE || bytes[0] == TLS_ALERT) && bytes[1] == TLS_MAJOR) {
            return "TLS (record 0x" + Integer.toHexString(bytes[0]) + " 0x03)";
        }
        return text.equals("SSH-") ? "SSH ('SSH-')" : null;
    }
}
