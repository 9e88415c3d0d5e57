package org.railyard.o2iblnd;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.Cq;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;
import org.railyard.verbs.VerbsProvider;

/**
 * A provider of verbs that passes everything on to another one, and notes which queues it is asked for. It may have no
 * more ends of connections, and callers that have given up when their requests are handled.
 */
final class WatchedVerbs {
    /** What was asked for: entries of a completion queue, and the size of the queue pair over it. */
    record Queues(int entries, QpCapabilities pair) {}

    private final VerbsProvider real;
    private final List<Queues> asked = new ArrayList<>();
    private final IdentityHashMap<CmId, CmId> ends = new IdentityHashMap<>();
    private int idsToFail;
    private final Set<CmEvent.Type> lost = EnumSet.noneOf(CmEvent.Type.class);
    private final Map<String, Integer> numaNodes = new HashMap<>();
    private boolean silent;
    private boolean ended;
    private int closed;
    private int notAvailable = -1;

    WatchedVerbs(VerbsProvider real) {
        this.real = real;
    }

    /** Says what NUMA node a device is on. */
    void place(String device, int numaNode) {
        numaNodes.put(device, numaNode);
    }

    /** The device does not tell the state of its ports any more. */
    void silence() {
        silent = true;
    }

    /** So many ends of connections are not made. */
    void failIds(int count) {
        idsToFail = count;
    }

    /** Ends hear nothing of a kind any more. */
    void lose(CmEvent.Type type) {
        lost.add(type);
    }

    /** Callers have given up from now on, or have not: of an end whose caller has, nothing more can be made. */
    void end(boolean all) {
        ended = all;
    }

    /** Lets nobody have a port that another process has on all addresses. */
    void takeEverywhere(int port) {
        notAvailable = port;
    }

    /** Returns how many ends were closed. */
    int closed() {
        return closed;
    }

    /** Returns what was asked for, in order. */
    List<Queues> asked() {
        return asked;
    }

    VerbsProvider provider() {
        return proxy(VerbsProvider.class, real, (method, args) -> switch (method.getName()) {
            case "interfaces" ->
                real.interfaces().stream()
                        .map(each -> new VerbsInterface(each.name(), each.ip(), watched(each.device()), each.port()))
                        .toList();
            case "createId" -> {
                if (idsToFail > 0) {
                    idsToFail--;
                    throw new VerbsException(VerbsException.Code.ENOMEM, "no more connections");
                }
                CmListener listener = (CmListener) args[1];
                args[1] = (CmListener) (id, event) -> {
                    if (!lost.contains(event.type())) {
                        listener.onCmEvent(watched(id), watched(event));
                    }
                };
                yield watched((CmId) call(real, method, args));
            }
            default -> call(real, method, args);
        });
    }

    private VerbsDevice watched(VerbsDevice device) {
        return proxy(VerbsDevice.class, device, (method, args) -> {
            if (silent && method.getName().equals("port")) {
                throw new VerbsException(VerbsException.Code.EIO, "the port does not tell its state");
            }
            Integer numaNode = method.getName().equals("numaNode") ? numaNodes.get(device.name()) : null;
            return numaNode == null ? call(device, method, args) : numaNode;
        });
    }

    private CmEvent watched(CmEvent event) {
        CmId request = event.request();
        return request == null
                ? event
                : new CmEvent(event.type(), event.reason(), event.privateData(), watched(request));
    }

    private CmId watched(CmId id) {
        return ends.computeIfAbsent(
                id,
                each -> proxy(CmId.class, each, (method, args) -> {
                    if (ended && Set.of("createQp", "accept", "reject").contains(method.getName())) {
                        throw new VerbsException(VerbsException.Code.EINVAL, "the connection is ENDED");
                    }
                    if (method.getName().equals("bind") && ((CmAddress) args[0]).port() == notAvailable) {
                        throw new VerbsException(VerbsException.Code.EADDRNOTAVAIL, "somebody has it everywhere");
                    }
                    if (method.getName().equals("createQp")) {
                        asked.add(new Queues(((Cq) args[1]).entries(), (QpCapabilities) args[2]));
                    } else if (method.getName().equals("close")) {
                        closed++;
                    }
                    return call(each, method, args);
                }));
    }

    private interface Body {
        Object run(Method method, Object[] args) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T real, Body body) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            Object[] given = args == null ? new Object[0] : args;
            return switch (method.getName()) {
                case "equals" -> self == given[0];
                case "hashCode" -> System.identityHashCode(self);
                case "toString" -> real.toString();
                default -> body.run(method, given);
            };
        }));
    }

    private static Object call(Object real, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
