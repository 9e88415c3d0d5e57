package org.railyard.control.node;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.FaultOperation;
import org.railyard.lnet.FaultInjection;
import org.railyard.lnet.api.DelayRule;
import org.railyard.lnet.api.DropRule;
import org.railyard.lnet.api.FaultFilter;
import org.railyard.lnet.api.FaultKind;
import org.railyard.lnet.api.FaultRuleInfo;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.wire.MessageType;

/** Fault rules (spec 12 §2.6, §4.10). */
final class FaultControl {
    private final FaultInjection faults;

    FaultControl(FaultInjection faults) {
        this.faults = faults;
    }

    static Map<String, Object> execute(FaultOperation operation, OperationContext context) {
        FaultControl faults = new FaultControl(context.lnet().faults());
        switch (operation) {
            case FaultOperation.Add add -> faults.add(add);
            case FaultOperation.Delete delete -> faults.delete(delete);
            case FaultOperation.Reset reset -> faults.reset(reset);
            case FaultOperation.Show show -> {
                return faults.show(show);
            }
        }
        return Map.of();
    }

    private static FaultKind kind(String text) {
        return switch (text) {
            case "drop" -> FaultKind.DROP;
            case "delay" -> FaultKind.DELAY;
            default ->
                throw new ErrnoException(Errno.EINVAL, "fault rules of kind '" + text + "'; expected drop or delay");
        };
    }

    private void add(FaultOperation.Add add) {
        int[] portals = add.portals().stream().mapToInt(FaultControl::portal).toArray();
        FaultFilter filter = FaultFilter.of(end("source", add.source()), end("dest", add.dest()))
                .withPortals(portals)
                .withMessages(add.messages().stream().map(FaultControl::type).toArray(MessageType[]::new))
                .withRate(add.rate() == null ? 0 : add.rate())
                .withInterval(add.interval() == null ? 0 : add.interval())
                .withLocal(add.localNid() == null ? Nid.ANY : end("local NID", add.localNid()));
        if (kind(add.kind()) == FaultKind.DELAY) {
            faults.add(new DelayRule(filter, add.latency() == null ? 0 : add.latency()));
        } else {
            faults.add(new DropRule(filter, errors(add.healthErrors()), add.random(), add.dropAll()));
        }
    }

    private static int portal(String text) {
        try {
            return Integer.decode(text);
        } catch (NumberFormatException e) {
            throw new ErrnoException(Errno.EINVAL, "portal '" + text + "' of a fault rule; expected a number", e);
        }
    }

    /** Reads a NID of a rule: a NID, all of a net as {@code *@tcp}, or all as {@code *}. */
    private static Nid end(String which, @Nullable String text) {
        if (text == null) {
            throw new ErrnoException(Errno.EINVAL, "the " + which + " of a fault rule is missing");
        }
        try {
            return text.startsWith("*@") ? Nid.of(Nids.net(text.substring(2)), -1) : Nid.parse(text);
        } catch (NidFormatException e) {
            throw new ErrnoException(Errno.EINVAL, which + " of a fault rule: " + e.getMessage(), e);
        }
    }

    private static MessageType type(String text) {
        try {
            return MessageType.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(
                    Errno.EINVAL, "message type '" + text + "' of a fault rule; expected PUT, ACK, GET or REPLY", e);
        }
    }

    private static Set<HealthStatus> errors(List<String> names) {
        Set<HealthStatus> errors = EnumSet.noneOf(HealthStatus.class);
        for (String name : names) {
            if (name.equalsIgnoreCase("random")) {
                errors.addAll(DropRule.ANY_ERROR);
                continue;
            }
            try {
                errors.add(HealthStatus.valueOf(name.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "health error '" + name + "' of a fault rule; expected one of " + DropRule.ANY_ERROR
                                + " or random",
                        e);
            }
        }
        return errors;
    }

    private void delete(FaultOperation.Delete delete) {
        FaultKind kind = kind(delete.kind());
        if (!delete.all()) {
            faults.delete(kind, end("source", delete.source()), end("dest", delete.dest()));
            return;
        }
        List<FaultRuleInfo> left = faults.rules(kind);
        while (!left.isEmpty()) {
            FaultFilter filter = left.getFirst().rule().filter();
            faults.delete(kind, filter.source(), filter.target());
            left = faults.rules(kind);
        }
    }

    private void reset(FaultOperation.Reset reset) {
        faults.reset(kind(reset.kind()));
    }

    private Map<String, Object> show(FaultOperation.Show show) {
        List<Object> rules = new ArrayList<>();
        faults.rules(kind(show.kind())).forEach(each -> rules.add(rule(each)));
        return rules.isEmpty() ? Map.of() : Map.of("fault", rules);
    }

    private static Object rule(FaultRuleInfo info) {
        FaultFilter filter = info.rule().filter();
        Doc doc = new Doc()
                .put("rule_type", info.rule().kind().name().toLowerCase(Locale.ROOT))
                .put("fa_src", filter.source().toString())
                .put("fa_dst", filter.target().toString())
                .put("fa_ptl_mask", filter.portals())
                .put("fa_msg_mask", mask(filter.messages()));
        if (info.rule() instanceof DelayRule delay) {
            doc.put("la_rate", filter.rate())
                    .put("la_interval", filter.interval())
                    .put("la_latency", delay.latency());
            doc.put("ls_delayed", info.hit());
        } else {
            doc.put("da_rate", filter.rate())
                    .put("da_interval", filter.interval())
                    .put("ds_dropped", info.hit());
        }
        return doc.put("fs_count", info.examined())
                .put("fs_put", info.put())
                .put("fs_ack", info.ack())
                .put("fs_get", info.get())
                .put("fs_reply", info.reply())
                .map();
    }

    /** Returns a bit per message type, by its number on the wire; 0 for all. */
    private static long mask(Set<MessageType> types) {
        Set<MessageType> all = EnumSet.of(MessageType.PUT, MessageType.GET, MessageType.REPLY, MessageType.ACK);
        if (types.containsAll(all)) {
            return 0;
        }
        return types.stream().mapToLong(type -> 1L << type.number()).reduce(0, (a, b) -> a | b);
    }
}
