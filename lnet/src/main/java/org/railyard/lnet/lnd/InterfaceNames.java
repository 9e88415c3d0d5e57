package org.railyard.lnet.lnd;

import java.util.Arrays;
import java.util.List;

/**
 * The device name of an NI that a transport makes of several interfaces: their names in order, with commas between. The
 * stack only hands it on; transports and what shows NIs to people take it apart.
 */
public final class InterfaceNames {
    private static final String COMMA = ",";

    private InterfaceNames() {}

    /** Returns the device name for some interfaces. */
    public static String join(List<String> names) {
        return String.join(COMMA, names);
    }

    /** Returns the interfaces in a device name; one if it is that of an ordinary NI. */
    public static List<String> split(String deviceName) {
        return Arrays.asList(deviceName.split(COMMA));
    }

    /** Tells whether a device name is that of several interfaces. */
    public static boolean isSeveral(String deviceName) {
        return deviceName.contains(COMMA);
    }
}
