package org.railyard.doctor;

import java.net.Inet4Address;
import org.railyard.doctor.RailCheck.Rail;

/** Where rails share a subnet, each device may speak only for itself. */
final class ArpCheck implements Check {
    private static final int BEST_ADDRESS = 2;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        for (Rail rail : RailCheck.sharing(RailCheck.rails(setup, new Links(facts)))) {
            if (rail.address().ip() instanceof Inet4Address) {
                look(rail, facts, notes);
            }
        }
    }

    private static void look(Rail rail, HostFacts facts, Notes notes) {
        String device = rail.link().name();
        int ignore = Sysctl.largest(facts, device, "arp_ignore");
        int announce = Sysctl.largest(facts, device, "arp_announce");
        int filter = Sysctl.largest(facts, device, "arp_filter");
        if (ignore < 0 || announce < 0 || filter < 0) {
            notes.notChecked("ARP settings, because /proc/sys can not be read", device);
            return;
        }
        if (ignore == 0 && filter == 0) {
            notes.add(
                    "arp-ignore",
                    Severity.WARNING,
                    rail.ni().subject(),
                    "arp_ignore and arp_filter of " + device + " are 0, with another rail in the subnet",
                    "it answers for addresses of the other rails: peers send to the wrong card",
                    Sysctl.set(device, "arp_ignore", 1));
        }
        if (announce < BEST_ADDRESS) {
            notes.add(
                    "arp-announce",
                    Severity.WARNING,
                    rail.ni().subject(),
                    "arp_announce of " + device + " is " + announce + ", with another rail in the subnet",
                    "it may announce the address of another rail as its own: peers then send to the wrong card",
                    Sysctl.set(device, "arp_announce", BEST_ADDRESS));
        }
    }
}
