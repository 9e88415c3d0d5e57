package org.railyard.itest.guest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.railyard.base.host.Host;
import org.railyard.conformance.Polling;
import org.railyard.conformance.bond.NodeCards;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.NetType;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.testkit.LogTap;

/** Four nodes on the two cards of the guest, which they share. Node n is 10.79.1.(1+n) and 10.79.3.(1+n). */
abstract class RxePairs implements NodeCards {
    static final String[] DEVICES = {"eth0", "card1"};

    private static final int[] FIRST_IPS = {0x0A4F_0101, 0x0A4F_0301};
    private static final long LIMIT_NANOS = 300_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;

    private final LogTap log;
    private final List<IbvProvider> providers = new ArrayList<>();
    private final Map<Integer, O2ibLnd> lnds = new HashMap<>();

    /** Makes nodes, and listens to a class that logs. */
    RxePairs(String logger) {
        log = new LogTap(logger);
    }

    /** Makes the transport of a node on the cards. */
    abstract O2ibLnd make(LndUpcalls stack, Host host, IbvProvider cards);

    static int ip(int node, int card) {
        return FIRST_IPS[card] + node;
    }

    /** Returns the interface of a node on a card; all but the first are there by their addresses. */
    static String name(int node, int card) {
        return node == 0 ? DEVICES[card] : DEVICES[card] + ":" + Ipv4.text(ip(node, card));
    }

    List<IbvProvider> providers() {
        return providers;
    }

    List<String> logged() {
        return log.lines();
    }

    @Override
    public LndProvider transport(int node) {
        return new LndProvider() {
            @Override
            public NetType type() {
                return NetType.O2IB;
            }

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                IbvProvider cards = IbvProvider.open(host, List.of(), MemoryMode.COPY);
                providers.add(cards);
                O2ibLnd made = make(stack, host, cards);
                lnds.put(node, made);
                return made;
            }
        };
    }

    /** Returns the transport of a node that was started. */
    O2ibLnd lnd(int node) {
        O2ibLnd lnd = lnds.get(node);
        if (lnd == null) {
            throw new IllegalStateException("node " + node + " was not started");
        }
        return lnd;
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return Polling.until(condition, LIMIT_NANOS, LOOK_NANOS);
    }

    @Override
    public void close() {
        providers.forEach(IbvProvider::close);
        log.close();
    }
}
