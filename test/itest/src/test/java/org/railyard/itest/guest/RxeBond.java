package org.railyard.itest.guest;

import java.io.IOException;
import java.util.List;
import org.railyard.base.host.Host;
import org.railyard.conformance.bond.BondedCards;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;

/** Nodes on the cards of the guest, of which the first two bond theirs. */
final class RxeBond extends RxePairs implements BondedCards {
    private static final Net O2IB = Net.parse("o2ib");
    private static final int BONDED = 2;

    /** A protection domain, which librdmacm has for each device until the process ends. */
    private static final int OF_LIBRARY = 1;

    RxeBond() {
        super("org.railyard.ibverbs.IbvDevice");
    }

    private static boolean isBonded(int node) {
        return node < BONDED;
    }

    @Override
    O2ibLnd make(LndUpcalls stack, Host host, IbvProvider cards) {
        Targets targets = new Targets();
        for (int other = 0; other < BONDED; other++) {
            targets.put(new Target(nid(other), List.of(ip(other, 0), ip(other, 1))));
        }
        return new O2ibLnd(stack, host, cards, Tunables.DEFAULT, targets, _ -> 24);
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
        return logged().stream()
                .anyMatch(line -> line.contains("rxe1 was taken away; when it is there again, restart"));
    }

    @Override
    public boolean isGivenBack(int card) {
        return RxeQuota.objects("rxe" + card) <= OF_LIBRARY;
    }
}
