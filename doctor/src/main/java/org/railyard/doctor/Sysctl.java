package org.railyard.doctor;

/** Settings of the kernel for a device. What counts is the larger one of the device's own and that of all devices. */
final class Sysctl {
    private static final String FOLDER = "net/ipv4/conf/";

    private Sysctl() {}

    /** Returns the setting that counts for a device; −1 if it can not be read. */
    static int largest(HostFacts facts, String device, String name) {
        return Math.max(
                facts.setting(FOLDER + "all/" + name).orElse(-1),
                facts.setting(FOLDER + device + "/" + name).orElse(-1));
    }

    /** Returns the command that changes it. A dot in the name of a device is a slash there. */
    static String set(String device, String name, int value) {
        return "sysctl -w net.ipv4.conf." + device.replace('.', '/') + "." + name + "=" + value;
    }
}
