package dev.verbena.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.verbena.fabric.NicModel;
import dev.verbena.job.NcclOperation;
import dev.verbena.scenario.ScenarioSchema;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("rules")
class SchemaTest {
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(ScenarioSchema.text());

    @Test
    void theSchemaIsOneByItsOwnSpecification() {
        SchemaRegistry registry =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        assertThat(
                        registry.getSchema(
                                        SchemaLocation.of(
                                                "https://json-schema.org/draft/2020-12/schema"))
                                .validate(ScenarioSchema.text(), InputFormat.JSON))
                .isEmpty();
    }

    @Test
    void editorsHaveADescriptionForEveryKey() {
        described("", SCHEMA);
    }

    private static void described(String path, JsonNode node) {
        for (Map.Entry<String, JsonNode> each : node.path("properties").properties()) {
            JsonNode key = each.getValue();
            String name = path + "/" + each.getKey();
            JsonNode of =
                    key.has("$ref") && !key.has("description")
                            ? SCHEMA.at(key.path("$ref").asString().substring(1))
                            : key;
            assertThat(of.path("description").asString("")).as(name).isNotBlank();
            described(name, key);
        }
        for (Map.Entry<String, JsonNode> each : node.path("$defs").properties()) {
            described(path + "/" + each.getKey(), each.getValue());
        }
    }

    @Test
    void wordsOfTheSchemaAreThoseOfTheCode() {
        JsonNode nic = SCHEMA.at("/$defs/fabric/properties/nic/enum");
        assertThat(nic.valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(NicModel.values()).map(NicModel::toString).toList());
        JsonNode operations =
                SCHEMA.at("/$defs/workload/properties/collective/properties/operation/enum");
        assertThat(operations.valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(NcclOperation.values())
                                .map(NcclOperation::toString)
                                .toList());
    }
}
