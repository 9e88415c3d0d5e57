package org.railyard.itest.guest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.railyard.base.host.Host;
import org.railyard.conformance.Polling;
import org.railyard.conformance.bond.BondedCards;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.testkit.LogTap;

/** Four nodes on the two cards of the guest, which they share. Node n is 10.79.1.(1+n) and 10.79.3.(1+n). */
final class RxeBond implements BondedCards {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int BONDED = 2;

    /** A protection domain, which librdmacm has for each device until the process ends. */
    private static final int OF_LIBRARY = 1;

    private static final String[] DEVICES = {"eth0", "card1"};
    private static final int[] FIRST_IPS = {0x0A4F_0101, 0x0A4F_0301};
    private static final long LIMIT_NANOS = 300_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;

    private final LogTap log = new LogTap("org.railyard.ibverbs.IbvDevice");
    private final List<IbvProvider> providers = new ArrayList<>();
    private final Map<Integer, O2ibLnd> lnds = new HashMap<>();

    private static int ip(int node, int card) {
        return FIRST_IPS[card] + node;
    }

    private static String name(int node, int card) {
        String device = DEVICES[card];
        return node == 0 ? device : device + ":" + Ipv4.text(ip(node, card));
    }

    private static boolean isBonded(int node) {
        return node < BONDED;
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
                Targets targets = new Targets();
                for (int other = 0; other < BONDED; other++) {
                    targets.put(new Target(nid(other), List.of(ip(other, 0), ip(other, 1))));
                }
                O2ibLnd made = new O2ibLnd(stack, host, cards, Tunables.DEFAULT, targets, _ -> 24);
                lnds.put(node, made);
                return made;
            }
        };
    }

    @Override
    public List<NiRequest> requests(int node) {
        return List.of(
                NiRequest.ofInterface(O2IB, isBonded(node) ? name(node, 0) + "," + name(node, 1) : name(node, 1)));
    }

    @Override
    public Nid nid(int node) {
        return Nid.of(O2IB, ip(node, isBonded(node) ? 0 : 1));
    }

    private O2ibLnd lnd(int node) {
        O2ibLnd lnd = lnds.get(node);
        if (lnd == null) {
            throw new IllegalStateException("node " + node + " was not started");
        }
        return lnd;
    }

    @Override
    public boolean isUsable(int node, int card) {
        return lnd(node).groups().getFirst().members().stream()
                .anyMatch(each -> each.ip() == ip(node, card) && each.state().isUsable());
    }

    @Override
    public long sent(int node, int card) {
        return lnd(node).routes().stream()
                .flatMap(set -> set.routes().stream())
                .filter(route -> route.localIp() == ip(node, card))
                .mapToLong(route -> route.messages())
                .sum();
    }

    private static Process run(String... command) {
        try {
            return new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }

    /** As a cable that is pulled: the device stays up, and keeps its routes. Only card 1 can. */
    @Override
    public void link(int card, boolean up) {
        try {
            if (run("ip", "link", "set", DEVICES[card], "carrier", up ? "on" : "off")
                            .waitFor()
                    != 0) {
                throw new AssertionError("the link of " + DEVICES[card] + " can not be set");
            }
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }

    /** The command waits until this process has ended, so it is not waited for. */
    @Override
    public void takeOut(int card) {
        run("rdma", "link", "delete", "rxe" + card);
    }

    @Override
    public boolean isExplained() {
        return log.lines().stream()
                .anyMatch(line -> line.contains("rxe1 was taken away; when it is there again, restart"));
    }

    @Override
    public boolean isGivenBack(int card) {
        return RxeQuota.objects("rxe" + card) <= OF_LIBRARY;
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
