package org.railyard.control;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Document;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** Documents that say what is to be done: the sections {@code ping} and {@code discover} (spec 12 §5.2). */
public final class TargetSection {
    private static final int MAX_FORCE = 1;

    private TargetSection() {}

    /**
     * Reads a document.
     *
     * @param file its name, for messages
     * @param text YAML
     * @throws DocumentException if anything is wrong with it, other sections included; tells all of it
     */
    public static List<TargetOperation> read(String file, String text) throws DocumentException {
        Findings findings = new Findings(file);
        Item root = Document.read(text, findings);
        findings.throwIfAny();
        List<TargetOperation> operations = new ArrayList<>();
        if (root != null) {
            root.entries().forEach((name, entry) -> {
                switch (name) {
                    case "ping" -> entry.value().items().forEach(item -> ping(item, operations));
                    case "discover" -> entry.value().items().forEach(item -> discover(item, operations));
                    default -> entry.key().unknownKey("only ping and discover, which is what --exec does");
                }
            });
        }
        findings.throwIfAny();
        return operations;
    }

    private static void ping(Item item, List<TargetOperation> operations) {
        Fields fields = Fields.of(item, "primary nid", "nids", "timeout", "source", "seq_no");
        Item timeout = fields.get("timeout");
        Integer seconds = timeout == null
                ? null
                : (int) timeout.number(0, TargetOperation.MAX_TIMEOUT).orElse(0);
        Item source = fields.get("source");
        operations.add(new TargetOperation.Ping(nids(fields), source == null ? null : source.text(), seconds, null));
    }

    private static void discover(Item item, List<TargetOperation> operations) {
        Fields fields = Fields.of(item, "primary nid", "nids", "force", "seq_no");
        boolean force = fields.number("force", 0, 0, MAX_FORCE) == MAX_FORCE;
        operations.add(new TargetOperation.Discover(nids(fields), force));
    }

    private static List<String> nids(Fields fields) {
        Item primary = fields.get("primary nid");
        Item list = fields.get("nids");
        List<String> nids = new ArrayList<>();
        if (list != null) {
            list.items().forEach(each -> add(each, nids));
        }
        if (primary != null) {
            add(primary, nids);
        }
        if (nids.isEmpty()) {
            fields.owner().found("no NID", "'primary nid: …' or 'nids:' with a list");
        }
        return nids;
    }

    private static void add(@Nullable Item item, List<String> nids) {
        if (item == null) {
            return;
        }
        try {
            NidList.parse(item.text());
            nids.add(item.text());
        } catch (NidFormatException e) {
            item.expected("a NID, or a list with ranges");
        }
    }
}
