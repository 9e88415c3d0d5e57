package org.railyard.control.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.UdspOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidPattern;

/** Selection rules (spec 12 §2.6). */
final class UdspControl {
    private UdspControl() {}

    static Map<String, Object> execute(UdspOperation operation, OperationContext context) {
        return switch (operation) {
            case UdspOperation.Add add -> context.edit(edits -> add(add, edits));
            case UdspOperation.Delete delete -> context.edit(edits -> delete(delete, edits));
            case UdspOperation.Show show -> show(context.lnet(), show.idx());
        };
    }

    private static void add(UdspOperation.Add add, Edits edits) {
        UdspRule rule = new UdspRule(
                pattern("src", add.src()),
                pattern("dst", add.dst()),
                pattern("rte", add.rte()),
                add.priority() == null ? UdspRule.NO_PRIORITY : requirePriority(add.priority()),
                add.count() == null ? 0 : add.count());
        if (add.idx() != null && add.idx() < 0) {
            throw new ErrnoException(Errno.EINVAL, "idx " + add.idx() + "; expected 0 or more");
        }
        edits.addUdsp(rule, add.idx() == null ? -1 : add.idx());
    }

    private static long requirePriority(long priority) {
        if (priority < 0) {
            throw new ErrnoException(Errno.EINVAL, "priority " + priority + "; expected 0 or more, 0 is best");
        }
        return priority;
    }

    private static @Nullable NidPattern pattern(String part, @Nullable String text) {
        try {
            return text == null ? null : NidPattern.parse(text);
        } catch (NidFormatException e) {
            throw new ErrnoException(
                    Errno.EINVAL, part + " " + e.getMessage() + "; patterns are tcp, o2ib[0-2], 10.0.*.[1-5]@tcp …", e);
        }
    }

    private static void delete(UdspOperation.Delete delete, Edits edits) {
        if (delete.all() == (delete.idx() != null)) {
            throw new ErrnoException(Errno.EINVAL, "say either which rule, --idx N, or --all");
        }
        if (delete.idx() == null) {
            edits.clearUdsp();
        } else {
            edits.deleteUdsp(delete.idx());
        }
    }

    static Map<String, Object> show(LNet lnet, @Nullable Integer only) {
        List<UdspRule> rules = lnet.selection().udsp();
        List<Object> shown = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            if (only == null || only == i) {
                shown.add(UdspText.rule(i, rules.get(i)).map());
            }
        }
        return shown.isEmpty() ? Map.of() : Map.of("udsp", shown);
    }
}
