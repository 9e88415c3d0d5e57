package org.railyard.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidPattern;

/**
 * The section {@code udsp} (spec 12 §5.2): with or without {@code idx}, with the priority under {@code action} or
 * beside the patterns.
 */
final class UdspSection {
    private static final int MAX_INDEX = 255;
    private static final String ABSENT = "NA";

    private final Findings findings;
    private final List<RuleSpec> rules = new ArrayList<>();
    private final Map<Integer, Place> indices = new LinkedHashMap<>();

    UdspSection(Findings findings) {
        this.findings = findings;
    }

    List<RuleSpec> rules() {
        return rules;
    }

    void read(Item section) {
        section.items().forEach(this::rule);
    }

    private void rule(Item item) {
        Fields fields = Fields.of(item, "idx", "src", "dst", "rte", "action", "priority", "count", "seq_no");
        int before = findings.errorCount();
        NidPattern src = pattern(fields.get("src"));
        NidPattern dst = pattern(fields.get("dst"));
        NidPattern rte = pattern(fields.get("rte"));
        Item action = fields.get("action");
        Fields actions = action == null || action.isEmpty() ? fields : Fields.of(action, "priority", "count");
        long priority = number(fields, actions, "priority", UdspRule.NO_PRIORITY, UdspRule.MAX_PRIORITY);
        int count = (int) number(fields, actions, "count", 0, Integer.MAX_VALUE);
        int index = index(fields.get("idx"));
        if (findings.errorCount() > before) {
            return;
        }
        try {
            rules.add(new RuleSpec(new UdspRule(src, dst, rte, priority, count), index, item.place()));
        } catch (ErrnoException e) {
            item.found(Findings.text(e), "another rule");
        }
    }

    private static long number(Fields beside, Fields inside, String name, long otherwise, long max) {
        Item item = inside.get(name) != null ? inside.get(name) : beside.get(name);
        return item == null ? otherwise : item.number(0, max).orElse(otherwise);
    }

    private int index(@Nullable Item item) {
        if (item == null) {
            return -1;
        }
        int index = (int) item.number(0, MAX_INDEX).orElse(-1);
        Place before = index < 0 ? null : indices.putIfAbsent(index, item.place());
        if (before != null) {
            item.found("idx " + index + " again", "each index once; it is at " + before.at());
        }
        return index;
    }

    private static @Nullable NidPattern pattern(@Nullable Item item) {
        if (item == null || item.isEmpty() || item.text().equals(ABSENT)) {
            return null;
        }
        try {
            return NidPattern.parse(item.text());
        } catch (NidFormatException e) {
            item.expected("nets or NIDs, such as tcp, o2ib[0-2] or 10.0.*.[1-5]@tcp (" + e.getMessage() + ")");
            return null;
        }
    }
}
