package org.railyard.mad.umad;

import java.util.Optional;

/**
 * Which port is opened, and what for.
 *
 * @param device name of the device; empty for the first one with an active InfiniBand port
 * @param port number of the port; empty for the first active one of the device
 * @param isManager to receive requests, traps and reports as an SM does: one process per port can
 * @param userRmpp false: the kernel segments and reassembles messages of the SA; true: {@code
 *     org.railyard.mad.rmpp.RmppTransport} has to
 */
public record UmadSettings(Optional<String> device, Optional<Integer> port, boolean isManager, boolean userRmpp) {
    /** The first active InfiniBand port, as a client; RMPP by the kernel unless a simulator takes its place. */
    public static UmadSettings client() {
        return new UmadSettings(Optional.empty(), Optional.empty(), false, isSimulated());
    }

    /** The first active InfiniBand port, as an SM. */
    public static UmadSettings manager() {
        return new UmadSettings(Optional.empty(), Optional.empty(), true, isSimulated());
    }

    /** Returns the same for a port of a device. */
    public UmadSettings at(String newDevice, int newPort) {
        return new UmadSettings(Optional.of(newDevice), Optional.of(newPort), isManager, userRmpp);
    }

    /** Tells whether ibsim's library stands between this process and the kernel; it knows no RMPP (spec 42 §5). */
    public static boolean isSimulated() {
        String preload = System.getenv("LD_PRELOAD");
        return preload != null && preload.contains("umad2sim");
    }
}
