package org.railyard.mad.umad;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.mad.smp.PortState;

/**
 * A port of this machine as libibumad describes it.
 *
 * @param device name of the device
 * @param port its number on the device
 * @param portGuid its GUID
 * @param lid base LID, 0 if it has none
 * @param smLid LID of the SM, 0 if there is none
 * @param state of the link
 * @param rate Gb/s
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}; "" where the library does not tell
 */
public record UmadPort(
        String device, int port, long portGuid, int lid, int smLid, PortState state, int rate, String linkLayer) {
    /** Most devices that are looked at. */
    public static final int MAX_DEVICES = 32;

    private static final int MAX_PORTS = 254;
    private static final int BYTES = 256;
    private static final int LID = 24;
    private static final int SM_LID = 32;
    private static final int STATE = 40;
    private static final int RATE = 48;
    private static final int GUID = 64;
    private static final int LINK_LAYER = 88;

    /**
     * Returns the ports of all devices.
     *
     * @throws ErrnoException ENOENT if libibumad is not installed
     */
    public static List<UmadPort> list() {
        UmadLibrary library = UmadLibrary.load();
        List<UmadPort> ports = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment names = arena.allocate((long) MAX_DEVICES * UmadLibrary.NAME_BYTES);
            int devices = Math.min(library.deviceNames(names, MAX_DEVICES), MAX_DEVICES);
            for (int i = 0; i < devices; i++) {
                MemorySegment name = names.asSlice((long) i * UmadLibrary.NAME_BYTES, UmadLibrary.NAME_BYTES);
                MemorySegment description = arena.allocate(BYTES);
                // Port 0 is that of a switch; asked for it, others give their first one, which comes again as 1.
                for (int port = 0; port <= MAX_PORTS; port++) {
                    description.fill((byte) 0);
                    if (library.getPort(name, port, description) == 0) {
                        UmadPort found = read(text(name, 0), description);
                        if (found.port == port) {
                            ports.add(found);
                        }
                        library.releasePort(description);
                    } else if (port > 0) {
                        break;
                    }
                }
            }
        }
        return ports;
    }

    private static UmadPort read(String device, MemorySegment bytes) {
        return new UmadPort(
                device,
                bytes.get(ValueLayout.JAVA_INT, UmadLibrary.NAME_BYTES),
                bytes.get(Wire.BE64, GUID),
                bytes.get(ValueLayout.JAVA_INT, LID),
                bytes.get(ValueLayout.JAVA_INT, SM_LID),
                PortState.of(bytes.get(ValueLayout.JAVA_INT, STATE)),
                bytes.get(ValueLayout.JAVA_INT, RATE),
                text(bytes, LINK_LAYER));
    }

    private static String text(MemorySegment bytes, long at) {
        StringBuilder text = new StringBuilder();
        byte[] raw = bytes.asSlice(at, UmadLibrary.NAME_BYTES).toArray(ValueLayout.JAVA_BYTE);
        for (char c : new String(raw, StandardCharsets.ISO_8859_1).toCharArray()) {
            if (c == 0) {
                break;
            }
            text.append(c < ' ' || c > '~' ? '_' : c);
        }
        return text.toString();
    }

    /** Tells whether subnet management makes sense here: not on Ethernet. */
    public boolean isInfiniBand() {
        return linkLayer.isEmpty() || linkLayer.equals("InfiniBand") || linkLayer.equals("IB");
    }

    /** Returns device, port, GUID, state and link layer, as in a list to choose from. */
    @Override
    public String toString() {
        return "%s/%d GUID 0x%016x LID %d %s%s"
                .formatted(device, port, portGuid, lid, state, linkLayer.isEmpty() ? "" : " " + linkLayer);
    }
}
