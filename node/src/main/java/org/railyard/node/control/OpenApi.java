package org.railyard.node.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.control.EventsOperation;
import org.railyard.control.Operation;
import org.railyard.control.OperationCodec;

/** Describes all operations of the control socket, made of the operations themselves. */
public final class OpenApi {
    private OpenApi() {}

    /** Returns the description, an OpenAPI 3.1 document. */
    public static Map<String, Object> document() {
        Map<String, Object> paths = new LinkedHashMap<>();
        for (String path : OperationCodec.paths()) {
            Class<? extends Operation> type = OperationCodec.typeOf(path);
            if (type != null) {
                paths.put(ControlHandler.PREFIX + path, path(path, type));
            }
        }
        paths.put(
                ControlHandler.PREFIX + ControlHandler.FOLLOW, path(ControlHandler.FOLLOW, EventsOperation.Show.class));
        return new Doc()
                .put("openapi", "3.1.0")
                .put(
                        "info",
                        new Doc()
                                .put("title", "lnetd")
                                .put("version", "1")
                                .put(
                                        "description",
                                        "Control of an LNet node over a Unix socket. Answers are YAML, or JSON for"
                                                + " 'Accept: application/json'. That of events/follow goes on until the"
                                                + " client ends it, with a document as JSON in each line."))
                .put("paths", paths)
                .map();
    }

    private static Map<String, Object> path(String path, Class<? extends Operation> type) {
        Doc methods = new Doc();
        Doc properties = new Doc();
        Map<String, String> help = OperationCodec.helpOf(type);
        OperationCodec.fieldsOf(type)
                .forEach((name, kind) -> properties.put(name, described(schema(kind), help.get(name))));
        Doc content = new Doc()
                .put(
                        "application/json",
                        new Doc().put("schema", new Doc().put("type", "object").put("properties", properties)));
        methods.put("post", operation(path).put("requestBody", new Doc().put("content", content)));
        if (Operation.Query.class.isAssignableFrom(type)) {
            List<Object> parameters = OperationCodec.fieldsOf(type).entrySet().stream()
                    .<Object>map(field -> new Doc()
                            .put("name", field.getKey())
                            .put("in", "query")
                            .put("schema", described(schema(field.getValue()), help.get(field.getKey())))
                            .map())
                    .toList();
            methods.put("get", operation(path).put("parameters", parameters));
        }
        return methods.map();
    }

    private static Doc described(Doc schema, @Nullable String help) {
        return help == null ? schema : schema.put("description", help);
    }

    private static Doc operation(String path) {
        return new Doc()
                .put("operationId", path.replace('/', '-'))
                .put(
                        "responses",
                        new Doc()
                                .put("200", new Doc().put("description", "done; the answer, if there is one"))
                                .put(
                                        "default",
                                        new Doc()
                                                .put("description", "refused, nothing has changed; errno and reason")));
    }

    private static Doc schema(String kind) {
        return switch (kind) {
            case "number" -> new Doc().put("type", "integer");
            case "switch" -> new Doc().put("type", "boolean");
            case "texts" -> new Doc().put("type", "array").put("items", new Doc().put("type", "string"));
            default -> new Doc().put("type", "string");
        };
    }
}
