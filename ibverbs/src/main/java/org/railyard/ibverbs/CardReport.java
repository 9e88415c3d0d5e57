package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.VerbsException;

/**
 * The cards of this machine with their ports and interfaces, and what is wrong with them, for people.
 *
 * @param cards in the order of their names
 * @param problems what is wrong, each with what to do
 */
public record CardReport(List<Card> cards, List<CardProblem> problems) {
    /** Copies the lists. */
    public CardReport {
        cards = List.copyOf(cards);
        problems = List.copyOf(problems);
    }

    /**
     * A card.
     *
     * @param name for example {@code mlx5_0}
     * @param firmware version of its firmware, empty if it has none
     * @param nodeGuid sixteen hexadecimal digits
     * @param limits what it can hold, for people
     * @param ports its ports, the first one first
     */
    public record Card(String name, String firmware, String nodeGuid, String limits, List<Port> ports) {
        /** Copies the list. */
        public Card {
            ports = List.copyOf(ports);
        }
    }

    /**
     * A port of a card.
     *
     * @param number from 1
     * @param attributes its state
     * @param gids the GIDs that are set
     * @param interfaces interfaces with an IPv4 address on it
     */
    public record Port(int number, PortAttributes attributes, List<String> gids, List<Interface> interfaces) {
        /** Copies the lists. */
        public Port {
            gids = List.copyOf(gids);
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * An interface with an IPv4 address.
     *
     * @param name for example {@code ib0}
     * @param ip its address, first octet in the highest bits
     */
    public record Interface(String name, int ip) {
        /** Returns the address as people write it. */
        public String address() {
            return (ip >>> 24) + "." + (ip >>> 16 & 0xFF) + "." + (ip >>> 8 & 0xFF) + "." + (ip & 0xFF);
        }

        @Override
        public String toString() {
            return name + " " + address();
        }
    }

    /**
     * Looks at this machine. Loads the libraries of the system.
     *
     * @throws org.railyard.verbs.VerbsException what is missing, in one line, and what to do (spec 24 §9.1)
     */
    public static CardReport ofSystem() {
        return of(NativeCards.system(), IbvProvider.addresses(), SystemSettings.read());
    }

    /**
     * Returns what is wrong on this machine, that there are no cards included. Loads the libraries of the system; looks
     * at devices and changes nothing.
     */
    public static List<CardProblem> problemsOfSystem() {
        try {
            return ofSystem().problems();
        } catch (VerbsException e) {
            return List.of(absent(e));
        }
    }

    static CardProblem absent(VerbsException why) {
        return new CardProblem(CardProblem.Kind.ABSENT, "", String.valueOf(why.getMessage()), "");
    }

    static CardReport of(NativeCards cards, List<InterfaceProbe.Address> addresses, SystemSettings settings) {
        NativeVerbs verbs = cards.verbs();
        List<InterfaceProbe.Found> interfaces = InterfaceProbe.find(verbs, addresses);
        List<Card> all = new ArrayList<>();
        List<CardProblem> problems = new ArrayList<>();
        for (NativeCard card : cards.all()) {
            if (cards.isGone(card)) {
                problems.add(new CardProblem(
                        CardProblem.Kind.SILENT,
                        card.name(),
                        "was taken away from this program",
                        "when 'rdma link' shows it again, restart the program"));
                continue;
            }
            try {
                all.add(card(verbs, card, interfaces));
            } catch (VerbsException e) {
                problems.add(new CardProblem(
                        CardProblem.Kind.SILENT,
                        card.name(),
                        "does not answer: " + e.getMessage(),
                        "was it taken away? 'dmesg' and 'rdma link' show what the kernel has"));
            }
        }
        problems.addAll(settings.problems(all));
        return new CardReport(all, problems);
    }

    private static Card card(NativeVerbs verbs, NativeCard card, List<InterfaceProbe.Found> interfaces) {
        DeviceFacts facts = DeviceFacts.read(verbs, card);
        List<Port> ports = new ArrayList<>();
        for (int number = 1; number <= facts.ports(); number++) {
            ports.add(port(verbs, card, number, interfaces));
        }
        return new Card(card.name(), facts.firmware(), facts.nodeGuid(), limits(facts), ports);
    }

    private static Port port(NativeVerbs verbs, NativeCard card, int number, List<InterfaceProbe.Found> interfaces) {
        PortFacts facts = PortFacts.read(verbs, card, number);
        List<Interface> own = interfaces.stream()
                .filter(each -> each.context() == card.context() && each.port() == number)
                .map(each -> new Interface(each.name(), each.ip()))
                .toList();
        return new Port(number, facts.attributes(), facts.gids(), own);
    }

    private static String limits(DeviceFacts facts) {
        return String.format(
                Locale.ROOT,
                "%d queue pairs of %d requests with %d pieces, completion queues of %d entries, %d memory regions, %s",
                facts.maxQp(),
                facts.maxQpWr(),
                facts.maxSge(),
                facts.maxCqe(),
                facts.maxMr(),
                facts.hasWindows()
                        ? facts.maxMw() + " memory windows of type " + facts.windowType()
                        : "no memory windows of type 2");
    }
}
