package org.railyard.control.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.config.O2ibSpec;
import org.railyard.control.NetStatusOperation;
import org.railyard.control.O2ibsOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Targets, routes and states of channel bonding (spec 21 §8). */
final class O2ibsControl {
    private final NodeEnvironment machine;

    O2ibsControl(NodeEnvironment machine) {
        this.machine = machine;
    }

    static Map<String, Object> execute(O2ibsOperation operation, OperationContext context) {
        LNet lnet = context.lnet();
        O2ibsControl o2ibs = new O2ibsControl(context.machine());
        return switch (operation) {
            case O2ibsOperation.Add add -> context.edit(edits -> o2ibs.add(add, edits));
            case O2ibsOperation.Delete delete -> context.edit(edits -> o2ibs.delete(Nids.nid(delete.nid()), edits));
            case O2ibsOperation.Show show -> o2ibs.show(show);
            case O2ibsOperation.Routes routes -> o2ibs.routes(routes);
            case O2ibsOperation.Tunables tunables -> o2ibs.tunables(tunables);
            case O2ibsOperation.Check check -> o2ibs.check(check, lnet);
        };
    }

    static Map<String, Object> execute(NetStatusOperation operation, OperationContext context) {
        context.lnet();
        return switch (operation) {
            case NetStatusOperation.Show show -> new O2ibsControl(context.machine()).status(show);
        };
    }

    private O2ibs o2ibs() {
        O2ibs there = machine.o2ibs();
        if (there == null) {
            throw new ErrnoException(
                    Errno.ENODEV,
                    "this node has no InfiniBand transport, because it was started without RDMA devices;"
                            + " 'lnetd --verbs KIND' says which to use");
        }
        return there;
    }

    void add(O2ibsOperation.Add add, Edits edits) {
        Nid nid = Nids.nid(add.nid());
        List<String> before = o2ibs().targets().get(nid);
        if (before != null && !before.equals(add.ips()) && !add.force()) {
            throw new ErrnoException(
                    Errno.EEXIST,
                    nid + " is a target with the addresses " + String.join(" ", before) + "; --force replaces them");
        }
        put(nid, add.ips(), edits);
    }

    /** Adds a target of a document. */
    void put(O2ibSpec spec, Edits edits) {
        put(spec.nid(), spec.ips(), edits);
    }

    private void put(Nid nid, List<String> ips, Edits edits) {
        O2ibs on = o2ibs();
        List<String> before = on.targets().get(nid);
        on.put(nid, ips);
        edits.journal().did(() -> restore(on, nid, before));
    }

    void delete(Nid nid, Edits edits) {
        O2ibs on = o2ibs();
        List<String> before = on.targets().get(nid);
        if (before == null) {
            throw new ErrnoException(Errno.ENOENT, "there is no target " + nid + "; 'lnetctl o2ibs show' lists them");
        }
        on.remove(nid);
        edits.journal().did(() -> restore(on, nid, before));
    }

    private static void restore(O2ibs on, Nid nid, @Nullable List<String> before) {
        if (before == null) {
            on.remove(nid);
        } else {
            on.put(nid, before);
        }
    }

    /** Gives a group other interfaces (spec 21 cb-007). */
    void setInterfaces(NiInfo group, List<String> interfaces, Edits edits) {
        O2ibs on = o2ibs();
        List<String> before = InterfaceNames.split(group.interfaceName());
        on.setInterfaces(group.nid(), interfaces);
        edits.journal().did(() -> on.setInterfaces(group.nid(), before));
    }

    private static @Nullable Net net(@Nullable String text) {
        return text == null ? null : Nids.net(text);
    }

    Map<String, Object> show(O2ibsOperation.Show show) {
        return show(net(show.net()), show.nid() == null ? null : Nids.nid(show.nid()));
    }

    Map<String, Object> routes(O2ibsOperation.Routes routes) {
        return Map.of("routes", o2ibs().routes(net(routes.net())));
    }

    Map<String, Object> tunables(O2ibsOperation.Tunables tunables) {
        return tunables(net(tunables.net()), tunables.nid() == null ? null : Nids.nid(tunables.nid()));
    }

    Map<String, Object> check(O2ibsOperation.Check check, LNet lnet) {
        Net net = net(check.net());
        if (net != null && lnet.nis().stream().noneMatch(ni -> ni.nid().isOn(net))) {
            // Nothing is wrong with what is not there.
            show(net, null);
        }
        return Map.of("check", o2ibs().check(net, check.probe(), multiRail(lnet)));
    }

    /** Returns the states of the NIs on a net; none where there is none. */
    List<Object> statuses(Net net) {
        return o2ibs().status(net);
    }

    Map<String, Object> status(NetStatusOperation.Show status) {
        Net net = net(status.net());
        List<Object> found = o2ibs().status(net);
        if (net != null && found.isEmpty()) {
            throw new ErrnoException(Errno.ESRCH, "there is no NI over InfiniBand on " + net + " here");
        }
        return found.isEmpty() ? Map.of() : Map.of("net_status", found);
    }

    private Map<String, Object> show(@Nullable Net net, @Nullable Nid nid) {
        List<Object> shown =
                documents(o2ibs(), each -> (net == null || each.isOn(net)) && (nid == null || each.equals(nid)));
        List<Object> learned = o2ibs().learned(net, nid);
        if (shown.isEmpty() && learned.isEmpty() && (net != null || nid != null)) {
            throw new ErrnoException(Errno.ENOENT, "there is no target " + (nid != null ? nid : "on " + net) + " here");
        }
        Doc document = new Doc().put("o2ibs", shown);
        return (learned.isEmpty() ? document : document.put("learned", learned)).map();
    }

    private Map<String, Object> tunables(@Nullable Net net, @Nullable Nid nid) {
        List<Object> all = o2ibs().tunables(null);
        List<Object> wanted = o2ibs().tunables(net).stream()
                .filter(each -> nid == null || nid.toString().equals(nidOf(each)))
                .toList();
        if (wanted.isEmpty()) {
            String those = all.isEmpty()
                    ? "there is none on an o2ib net; 'lnetctl net add --net o2ib --if NAME' makes one"
                    : "there are "
                            + String.join(
                                    ", ", all.stream().map(O2ibsControl::nidOf).toList());
            throw new ErrnoException(
                    Errno.ENOENT,
                    "no such NI on this node" + (nid != null ? ": " + nid : net != null ? ": on " + net : "") + "; "
                            + those);
        }
        return Map.of("tunables", wanted);
    }

    private static String nidOf(Object document) {
        return document instanceof Map<?, ?> map ? String.valueOf(map.get("nid")) : "";
    }

    /**
     * Returns the targets as they are exported; none if there is no transport for them.
     *
     * @param backup without those that come back from the target file by themselves
     */
    List<Object> export(boolean backup) {
        O2ibs there = machine.o2ibs();
        return there == null ? List.of() : documents(there, nid -> !backup || !there.isFromFile(nid));
    }

    private static List<Object> documents(O2ibs on, Predicate<Nid> wanted) {
        List<Object> documents = new ArrayList<>();
        on.targets().forEach((each, ips) -> {
            if (wanted.test(each)) {
                List<Object> list = new ArrayList<>();
                ips.forEach(ip -> list.add(new Doc().put("ip", ip).map()));
                documents.add(
                        new Doc().put("nid", each.toString()).put("ips", list).map());
            }
        });
        return documents;
    }

    private static Set<Nid> multiRail(LNet lnet) {
        Set<Nid> several = new LinkedHashSet<>();
        for (PeerInfo peer : lnet.peers()) {
            if (peer.multiRail() && peer.nis().size() > 1) {
                peer.nis().forEach(ni -> several.add(ni.nid()));
            }
        }
        return several;
    }
}
