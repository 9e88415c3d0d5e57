package org.railyard.doctor;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.config.VirtualDevices;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.lnet.api.Tunable;

/** Each NI needs a device that is there, is up, and has its address. */
final class DeviceCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Links links = new Links(facts);
        for (Setup.Ni ni : setup.nis()) {
            Optional<Link> link = links.named(ni.device());
            if (link.isPresent()) {
                look(ni, link.get(), links, setup, notes);
            } else {
                missing(ni, links, setup, notes);
            }
        }
        virtual(setup, links, notes);
        twice(facts, notes);
        if (setup.nis().isEmpty()) {
            notes.add(
                    "no-ni",
                    Severity.ERROR,
                    "LNet",
                    "there is no NI",
                    "this node talks to nobody",
                    "lnetctl net add --net tcp --if " + firstOf(links));
        }
        if (setup.nis().size() > setup.settings().get(Tunable.MAX_INTERFACES)) {
            notes.add(
                    "too-many-nis",
                    Severity.WARNING,
                    Tunable.MAX_INTERFACES.text(),
                    setup.nis().size() + " NIs with max_interfaces "
                            + setup.settings().get(Tunable.MAX_INTERFACES),
                    "the NIs that are too many are not announced: peers do not know them",
                    "lnetctl set max_interfaces " + setup.nis().size());
        }
    }

    /** A device of containers or virtual machines, while there is one that leads out. */
    private static void virtual(Setup setup, Links links, Notes notes) {
        List<String> others = links.usable().stream()
                .filter(name -> !VirtualDevices.isOne(name))
                .toList();
        for (Setup.Ni ni : setup.nis()) {
            if (VirtualDevices.isOne(ni.device()) && !others.isEmpty()) {
                boolean taken = setup.nis().stream()
                        .anyMatch(each -> each.device().equals(others.getFirst())
                                && each.net().equals(ni.net()));
                String[] both = {
                    "lnetctl net del --net " + ni.net() + " --if " + ni.device(),
                    "lnetctl net add --net " + ni.net() + " --if " + others.getFirst()
                };
                notes.add(
                        "virtual-device",
                        Severity.WARNING,
                        ni.subject(),
                        "the device belongs to containers, virtual machines or a tunnel, by its name; this machine also"
                                + " has " + String.join(", ", others),
                        "other machines do not reach the address, or find another machine there: such addresses are"
                                + " the same on many",
                        setup.start() != null
                                ? new String[] {"in the file: name " + others.getFirst() + " instead"}
                                : taken ? new String[] {both[0]} : both);
            }
        }
    }

    /** An address that two devices of this machine have; that another machine has it too is not known here. */
    private static void twice(HostFacts facts, Notes notes) {
        Map<InetAddress, String> holders = new LinkedHashMap<>();
        for (Link link : facts.links()) {
            for (HostFacts.Address address : link.addresses()) {
                String first = holders.putIfAbsent(address.ip(), link.name());
                if (first != null && !first.equals(link.name())) {
                    notes.add(
                            "duplicate-address",
                            Severity.ERROR,
                            address.ip().getHostAddress(),
                            "both " + first + " and " + link.name() + " have the address",
                            "which of them its packets use depends on the order in which they were switched on",
                            "ip addr del " + address.ip().getHostAddress() + "/" + address.prefix() + " dev "
                                    + link.name() + "   # or from " + first);
                }
            }
        }
    }

    private static String firstOf(Links links) {
        List<String> usable = links.usable();
        String names = links.names();
        return !usable.isEmpty() ? usable.getFirst() : names.isEmpty() ? "IF" : names.split(", ")[0];
    }

    private static void missing(Setup.Ni ni, Links links, Setup setup, Notes notes) {
        if (ni.device().isEmpty()) {
            String address = ni.address().map(InetAddress::getHostAddress).orElse("");
            notes.add(
                    "address-missing",
                    Severity.ERROR,
                    ni.subject(),
                    "no device of this machine has the address " + address,
                    "the NI can not be started",
                    addAddress(address, firstOf(links)));
            return;
        }
        String holder = ni.address().flatMap(links::holder).map(Link::name).orElse(null);
        notes.add(
                "device-missing",
                Severity.ERROR,
                ni.subject(),
                "there is no device " + ni.device() + "; this machine has " + links.names()
                        + (holder == null ? "" : ", and the address of the NI is on " + holder),
                setup.start() == null ? "the NI carries nothing" : "the NI can not be started",
                mendMissing(ni, holder, setup));
    }

    /** The device was renamed, or another one was given its address. */
    private static String[] mendMissing(Setup.Ni ni, @Nullable String holder, Setup setup) {
        if (setup.start() != null) {
            return new String[] {
                "name " + (holder == null ? "a device that is there" : holder) + ", in the section 'net' of the file"
            };
        }
        String del = "lnetctl net del --net " + ni.net() + " --if " + ni.device();
        return holder == null
                ? new String[] {del}
                : new String[] {del, "lnetctl net add --net " + ni.net() + " --if " + holder};
    }

    private static String addAddress(String address, String device) {
        String prefix = address.contains(":") ? "/64" : "/24";
        return "ip addr add " + (address.isEmpty() ? "ADDRESS/24" : address + prefix) + " dev " + device
                + "   # with the size of your subnet";
    }

    private static void look(Setup.Ni ni, Link link, Links links, Setup setup, Notes notes) {
        if (!link.up()) {
            notes.add(
                    "device-down",
                    Severity.ERROR,
                    ni.subject(),
                    "the device is switched off",
                    "the NI carries nothing; messages take other NIs, if there are any",
                    "ip link set dev " + link.name() + " up");
        } else if (!link.carrier()) {
            notes.add(
                    "no-carrier",
                    Severity.ERROR,
                    ni.subject(),
                    "the device is switched on, and no cable is connected",
                    "the NI carries nothing; messages take other NIs, if there are any",
                    "look at the cable and the port of the switch; 'ip link show dev " + link.name()
                            + "' tells LOWER_UP when it works");
        }
        if (ni.address().filter(link::has).isEmpty()) {
            noAddress(ni, link, links, setup, notes);
        }
    }

    private static void noAddress(Setup.Ni ni, Link link, Links links, Setup setup, Notes notes) {
        String wanted = ni.address().map(InetAddress::getHostAddress).orElse("");
        String holder = ni.address().flatMap(links::holder).map(Link::name).orElse(null);
        notes.add(
                "no-address",
                Severity.ERROR,
                ni.subject(),
                (wanted.isEmpty() ? "the device has no address" : "the device does not have the address " + wanted)
                        + (holder == null ? "" : ", which is on " + holder),
                "packets of the NI can not be sent or do not arrive",
                holder == null ? new String[] {addAddress(wanted, link.name())} : mendMissing(ni, holder, setup));
    }
}
