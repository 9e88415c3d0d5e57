package org.railyard.doctor;

import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;

/** What can be learned of the machine, in the network namespace of whoever asks. Thread-safe; changes nothing. */
public interface HostFacts {
    /**
     * A network device.
     *
     * @param name its name
     * @param up whether it is switched on
     * @param carrier whether a cable, or what stands for it, is connected; as {@code up} where that can not be known
     * @param loopback whether it only leads back
     * @param mtu largest packet, bytes
     * @param addresses its addresses
     */
    record Link(String name, boolean up, boolean carrier, boolean loopback, int mtu, List<Address> addresses) {
        /** Copies the list. */
        public Link {
            addresses = List.copyOf(addresses);
        }

        /** Tells whether an address is its own. Of a device that only leads back, all addresses of its subnets are. */
        public boolean has(InetAddress ip) {
            return addresses.stream()
                    .anyMatch(address -> address.ip().equals(ip) || (loopback && Links.isIn(address, ip)));
        }
    }

    /**
     * An address with the size of its subnet.
     *
     * @param ip the address
     * @param prefix bits of the subnet
     */
    record Address(InetAddress ip, int prefix) {}

    /**
     * Which way packets go.
     *
     * @param kind whether that is known
     * @param text the device; or why there is none
     */
    record Way(Kind kind, String text) {
        /** Whether it is known which way they go. */
        public enum Kind {
            /** They leave by a device. */
            DEVICE,
            /** The machine knows no way. */
            NONE,
            /** It could not be found out. */
            UNKNOWN
        }
    }

    /**
     * A way that packets are to go.
     *
     * @param from an address of this machine
     * @param to an address of another
     * @param bytes size of the packets, with the header of IP
     */
    record Path(InetAddress from, InetAddress to, int bytes) {}

    /** Whether packets of a size get somewhere, without being cut on the way. */
    enum Passage {
        /** They do. */
        FITS,
        /** They do not, and somebody on the way has said so. */
        TOO_LONG,
        /** They vanish; small ones arrive. */
        LOST,
        /** Not even small ones are answered: nothing is known. */
        SILENT,
        /** It could not be tried. */
        UNKNOWN
    }

    /** Whether a port can be listened at. */
    enum Port {
        /** It can. */
        FREE,
        /** Another program listens there. */
        IN_USE,
        /** This user must not. */
        DENIED
    }

    /**
     * Another machine that is to be looked for.
     *
     * @param from an address of this machine
     * @param to an address of another
     * @param port TCP port to connect to, which is closed again at once; 0 to only look whether the machine is there
     */
    record Call(InetAddress from, InetAddress to, int port) {}

    /** Whether another machine is there, whatever it runs. */
    enum Presence {
        /** It has answered: a datagram by ICMP, or the question for its hardware address. */
        HERE,
        /** Nobody answers the question whose address this is, in a subnet of this machine. */
        ABSENT,
        /** Nothing is known: it is behind a router, or says nothing. */
        UNKNOWN
    }

    /** What came of connecting to a port. */
    enum Dial {
        /** It was accepted. */
        ACCEPTED,
        /** It was refused, as by a machine where nobody listens at the port. */
        REFUSED,
        /** It was answered with an error of ICMP. */
        PROHIBITED,
        /** Nothing came back. */
        SILENT,
        /** It was not tried, or could not be. */
        UNKNOWN
    }

    /** What came of a call. */
    record Contact(Presence presence, Dial dial) {}

    /**
     * The file descriptors of lnetd.
     *
     * @param limit how many it may have open, 0 if unknown
     * @param open how many are open
     * @param needed how many the configuration may need
     */
    record Descriptors(long limit, long open, long needed) {
        /** Nothing is known. */
        public static final Descriptors UNKNOWN = new Descriptors(0, 0, 0);
    }

    /** Returns what is known of lnetd's file descriptors. */
    default Descriptors descriptors() {
        return Descriptors.UNKNOWN;
    }

    /**
     * Something that keeps LNet from using RDMA cards, or from using them well.
     *
     * @param trouble what it is
     * @param subject a card, a port of one, or empty if it is the machine
     * @param found what was found
     * @param interfaces network interfaces that it is about
     */
    record CardFault(CardTrouble trouble, String subject, String found, List<String> interfaces) {
        /** Copies the list. */
        public CardFault {
            interfaces = List.copyOf(interfaces);
        }
    }

    /** What is wrong with RDMA cards. */
    enum CardTrouble {
        /** There are none: the text says what is missing. */
        ABSENT,
        /** One does not answer. */
        SILENT,
        /** Less memory may be registered than an NI needs. */
        MEMORY,
        /** The port of the service must not be listened at. */
        SERVICE_PORT,
        /** A daemon gives paths without regard to types of service. */
        PATH_DAEMON,
        /** A port has no link. */
        PORT_DOWN,
        /** A port waits for a subnet manager. */
        PORT_WAITS,
        /** A port has no IP address. */
        NO_ADDRESS,
        /** Several ports are in one IP subnet. */
        ONE_SUBNET
    }

    /** Returns what is wrong with the RDMA cards that lnetd is to use; nothing if it is to use none. */
    default List<CardFault> cards() {
        return List.of();
    }

    /**
     * Whether another machine has an address of this one.
     *
     * @param kind {@code DEVICE} if one has, {@code NONE} if nobody answered, {@code UNKNOWN} if it could not be asked
     * @param text the hardware address of the other machine; or why it could not be asked
     */
    record Holder(Way.Kind kind, String text) {}

    /** Asks by ARP whether another machine has an address of this one; takes seconds. */
    Holder otherHolder(String device, InetAddress ip);

    /** Returns the devices. */
    List<Link> links();

    /**
     * Returns a setting of the kernel.
     *
     * @param path below {@code /proc/sys}, for example {@code net/ipv4/conf/eth0/rp_filter}
     * @return nothing if there is none, or it is no number
     */
    OptionalInt setting(String path);

    /** Returns which way packets from an address of this machine to another machine go. */
    Way way(InetAddress from, InetAddress to);

    /**
     * Tries whether packets get through, all paths at once; takes seconds. Sends to a port of the other machine at
     * which nobody should listen.
     *
     * @param paths which; one result for each
     */
    List<Passage> passages(List<Path> paths);

    /**
     * Looks for other machines, all at once; takes seconds.
     *
     * @param calls which; one result for each
     */
    List<Contact> contacts(List<Call> calls);

    /** Tells whether a TCP port can be listened at now, at an address of this machine. */
    Port port(InetAddress at, int port);

    /** Returns who listens at a TCP port, for example {@code process 4711 (nginx)}; empty if that is not known. */
    String holder(int port);
}
