package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Local nets and NIs (spec 12 §2.2). */
public sealed interface NetOperation extends Operation {
    /** Adds NIs: by net and interfaces, by NIDs, or by a pattern of addresses; one of the three. */
    @CliCommand(value = "net add", help = "add NIs")
    record Add(
            @CliOption(letter = 'n', value = "NET", help = "net, such as tcp or o2ib1") @Nullable
            String net,

            @CliOption(
                    name = "if",
                    letter = 'i',
                    value = "IF[,IF…]",
                    help = "interfaces, such as eth0 or eth0[0,1] with its CPU partitions; an NI for each")
            List<String> interfaces,

            @CliOption(
                    name = "nid",
                    value = "NID[,NID…]",
                    help = "NIDs whose addresses say which interfaces; with --bond the NID of the group")
            List<String> nids,

            @CliOption(letter = 'p', value = "RULE", help = "a rule such as 'tcp(eth1) 10.1.*.*'") @Nullable
            String ip2net,

            @CliOption(letter = 't', value = "SECONDS", help = "0 or more; 180") @Nullable
            Integer peerTimeout,

            @CliOption(letter = 'c', help = "sends under way to one peer NI, 1 or more; 8") @Nullable
            Integer peerCredits,

            @CliOption(letter = 'b', help = "router credits of a peer NI; 0 for as many as peer credits") @Nullable
            Integer peerBufferCredits,

            @CliOption(letter = 'r', help = "sends under way of an NI, 1 or more; 256") @Nullable
            Integer credits,

            @CliOption(letter = 's', value = "LIST", help = "CPU partitions, such as [0,1]") @Nullable
            String cpt,

            @CliOption(letter = 'm', help = "0 to 127; 0 for as many as suit the link") @Nullable
            Integer connsPerPeer,

            @CliOption(help = "type of service, 0 to 255; -1 for that of the transport") @Nullable
            Integer tos,

            @CliOption(help = "one NI of all the interfaces, which take turns; nets of type o2ib only")
            boolean bond)
            implements NetOperation, Edit {
        /** Copies the lists. */
        public Add {
            interfaces = List.copyOf(interfaces);
            nids = List.copyOf(nids);
        }
    }

    /** Deletes NIs: all of a net, those of some of its interfaces, or some by their NIDs. */
    @CliCommand(value = "net del", help = "delete a net or some of its NIs")
    record Delete(
            @CliOption(letter = 'n', value = "NET", help = "net, such as tcp or o2ib1") @Nullable
            String net,

            @CliOption(name = "if", letter = 'i', value = "IF[,IF…]", help = "interfaces of the net; none for all")
            List<String> interfaces,

            @CliOption(name = "nid", value = "NID[,NID…]", help = "NIs by their NIDs")
            List<String> nids)
            implements NetOperation, Edit {
        /** Copies the lists. */
        public Delete {
            interfaces = List.copyOf(interfaces);
            nids = List.copyOf(nids);
        }
    }

    /** Changes NIs that run; a NID that this node does not have is ENODEV. */
    @CliCommand(value = "net set", help = "change NIs that run")
    record Set(
            @CliOption(letter = 'n', value = "NET", help = "the NIs of this net") @Nullable
            String net,

            @CliOption(value = "NID", help = "the NI with this NID") @Nullable
            String nid,

            @CliOption(letter = 'a', help = "all NIs") boolean all,

            @CliOption(value = "VALUE", help = "health, 0 to 1000; all else means 1000") @Nullable
            Integer health,

            @CliOption(letter = 'm', help = "0 to 127; 0 for as many as suit the link") @Nullable
            Integer connsPerPeer,

            @CliOption(value = "SECONDS", help = "limit of the transport of --net, for all its nets; 0 to derive it")
            @Nullable
            Integer lndTimeout,

            @CliOption(letter = 's', value = "LIST", help = "CPU partitions, such as [0,1]") @Nullable
            String cpt)
            implements NetOperation, Edit {}

    /**
     * Shows NIs, net by net, loopback first.
     *
     * @param level how much, 0…4 (spec 12 §3)
     */
    @CliCommand(value = "net show", help = "show NIs, net by net")
    record Show(
            @CliOption(letter = 'n', value = "NET", help = "only this net") @Nullable
            String net,

            int level) implements NetOperation, Query {}
}
