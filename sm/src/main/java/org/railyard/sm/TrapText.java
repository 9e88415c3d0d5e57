package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.SmpAttributes;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.MadMethod;

/** What traps say (spec 40 §3), as one line each that is safe to print. M_Keys are not printed, not even wrong ones. */
final class TrapText {
    /** Hops that the return path of trap 256 has place for. */
    private static final int MAX_HOPS = 30;

    private static final int KNOWN_CHANGES = TrapDetails.CHANGED_DESCRIPTION
            | TrapDetails.CHANGED_WIDTH
            | TrapDetails.CHANGED_SPEED
            | TrapDetails.CHANGED_SM_PRIORITY
            | TrapDetails.CHANGED_CAPABILITY_MASK2;

    private final LidNames names;

    TrapText(LidNames names) {
        this.names = names;
    }

    /** Returns the line of a trap. */
    String of(Notice notice, int fromLid) {
        int number = notice.getInt(Notice.TRAP_NUMBER);
        if (!notice.isSet(Notice.IS_GENERIC)) {
            return "trap %d of vendor 0x%06x from %s"
                    .formatted(number, notice.getInt(Notice.PRODUCER_TYPE), names.of(fromLid));
        }
        String what = details(number, notice.details(), fromLid);
        return "trap " + number + " from " + names.of(fromLid) + (what.isEmpty() ? "" : ": " + what);
    }

    private String details(int number, TrapDetails details, int fromLid) {
        return switch (number) {
            case Notice.LINK_STATE ->
                "a port" + at(details.getInt(TrapDetails.SWITCH_LID), fromLid) + " changed its state";
            case Notice.LINK_INTEGRITY -> port(details, fromLid) + ": too many link errors";
            case Notice.BUFFER_OVERRUN -> port(details, fromLid) + ": a buffer overran too often";
            case Notice.FLOW_CONTROL -> port(details, fromLid) + ": no flow control packets came in time";
            case Notice.LOCAL_CHANGES -> changes(details) + at(details.getInt(TrapDetails.CHANGES_LID), fromLid);
            case Notice.SYSTEM_IMAGE_GUID ->
                "the system image GUID%s is 0x%016x now"
                        .formatted(
                                at(details.getInt(TrapDetails.SYSTEM_LID), fromLid),
                                details.get(TrapDetails.SYSTEM_IMAGE_GUID));
            case Notice.BAD_M_KEY -> managementKey(details);
            case Notice.BAD_P_KEY ->
                "wrong P_Key 0x%04x, %s".formatted(details.getInt(TrapDetails.KEY) & 0xFFFF, ends(details));
            case Notice.BAD_Q_KEY -> "wrong Q_Key 0x%08x, %s".formatted(details.get(TrapDetails.KEY), ends(details));
            case Notice.SWITCH_BAD_P_KEY -> switchKey(details);
            default -> "";
        };
    }

    /** Names another LID than the one the trap is from; some agents tell none. */
    private String at(int lid, int fromLid) {
        return lid == fromLid || lid == 0 ? "" : " of " + names.of(lid);
    }

    private String port(TrapDetails details, int fromLid) {
        return "port " + details.getInt(TrapDetails.PORT) + at(details.getInt(TrapDetails.PORT_LID), fromLid);
    }

    private static String changes(TrapDetails details) {
        List<String> changes = new ArrayList<>();
        int flags = details.isSet(TrapDetails.OTHER_CHANGES) ? details.getInt(TrapDetails.CHANGE_FLAGS) : 0;
        add(changes, flags, TrapDetails.CHANGED_DESCRIPTION, "description");
        add(changes, flags, TrapDetails.CHANGED_WIDTH, "enabled link width");
        add(changes, flags, TrapDetails.CHANGED_SPEED, "enabled link speed");
        add(changes, flags, TrapDetails.CHANGED_SM_PRIORITY, "priority of the subnet manager");
        add(changes, flags, TrapDetails.CHANGED_CAPABILITY_MASK2, "CapabilityMask2");
        int others = flags & ~KNOWN_CHANGES;
        if (others != 0) {
            changes.add("flags 0x%04x".formatted(others));
        }
        if (changes.isEmpty()) {
            changes.add("CapabilityMask, now 0x%08x".formatted(details.get(TrapDetails.CAPABILITY_MASK)));
        }
        return "changed: " + String.join(", ", changes);
    }

    private static void add(List<String> changes, int flags, int flag, String name) {
        if ((flags & flag) != 0) {
            changes.add(name);
        }
    }

    private String managementKey(TrapDetails details) {
        int method = details.getInt(TrapDetails.M_KEY_METHOD);
        int attribute = details.getInt(TrapDetails.M_KEY_ATTRIBUTE);
        String modifier = SmpAttributes.modifierText(attribute, (int) details.get(TrapDetails.M_KEY_MODIFIER));
        return "an SMP with a wrong M_Key: %s %s%s, %s%s"
                .formatted(
                        MadMethod.ofCode(method).map(MadMethod::text).orElse("method 0x%02x".formatted(method)),
                        SmpAttributes.find(attribute)
                                .map(AttributeType::name)
                                .orElse("attribute 0x%04x".formatted(attribute)),
                        modifier.isEmpty() ? "" : " " + modifier,
                        names.of(details.getInt(TrapDetails.M_KEY_LID)),
                        details.isSet(TrapDetails.M_KEY_DIRECTED) ? route(details) : "");
    }

    private static String route(TrapDetails details) {
        int hops = Math.min(details.getInt(TrapDetails.M_KEY_HOPS), MAX_HOPS);
        StringJoiner path = new StringJoiner(",");
        for (int i = 0; i < hops; i++) {
            path.add(Integer.toString(details.getInt(TrapDetails.M_KEY_PATH, i)));
        }
        return ", by directed route, DrSLID %d, return path %s%s"
                .formatted(
                        details.getInt(TrapDetails.M_KEY_DR_SLID),
                        path,
                        details.isSet(TrapDetails.M_KEY_PATH_CUT) ? " and more" : "");
    }

    private String ends(TrapDetails details) {
        return "from %s QP %d to %s QP %d, SL %d"
                .formatted(
                        names.of(details.getInt(TrapDetails.KEY_LID1)),
                        details.getInt(TrapDetails.KEY_QP1),
                        names.of(details.getInt(TrapDetails.KEY_LID2)),
                        details.getInt(TrapDetails.KEY_QP2),
                        details.getInt(TrapDetails.KEY_SL));
    }

    private String switchKey(TrapDetails details) {
        return "port %d of %s saw a wrong P_Key 0x%04x, from %s QP %d to %s QP %d, SL %d (valid fields 0x%04x)"
                .formatted(
                        details.getInt(TrapDetails.SWITCH_KEY_PORT),
                        names.of(details.getInt(TrapDetails.SWITCH_KEY_SWITCH)),
                        details.getInt(TrapDetails.SWITCH_KEY),
                        names.of(details.getInt(TrapDetails.SWITCH_KEY_LID1)),
                        details.getInt(TrapDetails.SWITCH_KEY_QP1),
                        names.of(details.getInt(TrapDetails.SWITCH_KEY_LID2)),
                        details.getInt(TrapDetails.SWITCH_KEY_QP2),
                        details.getInt(TrapDetails.SWITCH_KEY_SL),
                        details.getInt(TrapDetails.SWITCH_KEY_VALID));
    }
}
