package org.railyard.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.railyard.doctor.HostFacts.Call;
import org.railyard.doctor.HostFacts.Contact;
import org.railyard.doctor.HostFacts.Dial;
import org.railyard.doctor.HostFacts.Presence;
import org.railyard.lnet.nid.Nid;

/**
 * Why peers do not answer a ping, by what else their machines say: nobody has the address, a packet filter is in the
 * way, or LNet does not run there.
 */
final class SilentPeers {
    /** Most machines that are looked for. */
    static final int MAX_CALLS = 64;

    private SilentPeers() {}

    static void look(List<Nid> silent, Setup setup, Setup.Running running, HostFacts facts, Notes notes) {
        Map<Nid, Call> calls = new LinkedHashMap<>();
        for (Nid nid : silent) {
            Optional<Call> call = setup.callTo(nid, running.port());
            if (call.isPresent() && calls.size() < MAX_CALLS) {
                calls.put(nid, call.get());
            }
        }
        if (silent.size() > MAX_CALLS) {
            notes.notChecked("why more silent peers than " + MAX_CALLS + " do not answer");
        }
        List<Contact> contacts = calls.isEmpty() ? List.of() : facts.contacts(List.copyOf(calls.values()));
        List<Nid> asked = List.copyOf(calls.keySet());
        for (Nid nid : silent) {
            int at = asked.indexOf(nid);
            tell(nid, at < 0 ? new Contact(Presence.UNKNOWN, Dial.UNKNOWN) : contacts.get(at), running, notes);
        }
    }

    private static void tell(Nid nid, Contact contact, Setup.Running running, Notes notes) {
        String subject = "peer " + nid;
        String port = "TCP port " + running.port();
        String ping = "it does not answer a ping (" + running.probes().silent().get(nid) + ")";
        if (contact.presence() == Presence.ABSENT) {
            notes.add(
                    "peer-absent",
                    Severity.ERROR,
                    subject,
                    ping + ", and nobody in the subnet answers ARP for the address",
                    "the machine is off or not connected, or the address is wrong",
                    orForget(nid, running, "ip neigh show to " + address(nid) + "   # FAILED: nobody answers"));
        } else if (contact.dial() == Dial.PROHIBITED && contact.presence() == Presence.HERE) {
            notes.add(
                    "firewall-prohibits",
                    Severity.ERROR,
                    subject,
                    ping + "; its machine is there, and connections to " + port + " are answered with an error of ICMP",
                    "a packet filter, there or on the way, prohibits LNet by its policy",
                    "nft list ruleset   # there, and on the way; as root",
                    allow(running.port()));
        } else if (contact.dial() == Dial.SILENT && contact.presence() == Presence.HERE) {
            notes.add(
                    "firewall-drops",
                    Severity.ERROR,
                    subject,
                    ping + "; its machine is there, and nothing comes back from " + port + ", not even a refusal",
                    "a packet filter, there or on the way, drops what is sent to LNet",
                    "nft list ruleset   # there, and on the way; as root",
                    allow(running.port()));
        } else if (contact.dial() == Dial.REFUSED) {
            notes.add(
                    "port-refused",
                    Severity.ERROR,
                    subject,
                    ping + "; its machine is there and refuses connections to " + port,
                    "LNet does not run there or listens at another port; or a packet filter rejects with a refusal",
                    "ss -ltn 'sport = :" + running.port()
                            + "'   # there: who listens; the kernel's LNet shows no process",
                    "lnetctl net show   # there");
        } else {
            notes.add(
                    "peer-silent",
                    Severity.ERROR,
                    subject,
                    "it does not answer a ping: " + running.probes().silent().get(nid)
                            + (contact.dial() == Dial.ACCEPTED ? "; " + port + " accepts connections" : ""),
                    "it is down, the way there or back is broken, or it does not let this node in; if it just came"
                            + " back, it is dialled again within a minute",
                    orForget(
                            nid,
                            running,
                            "lnetctl explain path --to " + nid + "   # tells which way a message goes",
                            "lnetctl doctor   # there: its own devices, ports and routes"));
        }
    }

    private static String address(Nid nid) {
        String text = nid.toString();
        return text.substring(0, text.indexOf('@'));
    }

    private static String allow(int port) {
        return "nft insert rule inet filter input tcp dport " + port
                + " accept   # there, where the filter is a table of that name";
    }

    /** Returns what to do first, and how the peer is deleted; a gateway can not be before its routes. */
    private static String[] orForget(Nid nid, Setup.Running running, String... first) {
        Stream<String> routes = running.routes().stream()
                .filter(route -> route.primaryNid().equals(nid))
                .map(route -> "lnetctl route del --net " + route.net() + " --gateway " + route.gateway());
        Stream<String> delete = Stream.concat(routes, Stream.of("lnetctl peer del --prim_nid " + nid))
                .map(command -> command + "   # if it is gone for good");
        return Stream.concat(Stream.of(first), delete).toArray(String[]::new);
    }
}
