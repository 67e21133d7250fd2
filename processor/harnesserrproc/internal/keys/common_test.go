package keys

import "strings"

// common are attributes of other conventions that most telemetry is full of (semantic conventions 1.41 and before).
var common = strings.Fields(`
http.request.method http.route http.request.resend_count http.request.body.size http.response.body.size http.request.size
http.response.size http.connection.state http.request.method_original
http.method http.url http.target http.host http.scheme http.flavor http.user_agent http.client_ip http.server_name
http.request_content_length http.response_content_length
url.full url.path url.query url.scheme url.domain url.template url.port url.fragment url.original
server.address server.port client.address client.port network.protocol.name network.protocol.version network.transport network.type
network.peer.address network.peer.port network.local.address network.local.port network.interface.name network.connection.type
net.peer.name net.peer.port net.peer.ip net.host.name net.host.port net.host.ip net.transport net.sock.peer.addr net.sock.peer.port
net.sock.host.addr net.sock.family net.protocol.name net.protocol.version user_agent.original user_agent.name user_agent.version
db.system db.system.name db.name db.namespace db.operation db.operation.name db.operation.batch.size db.statement db.query.text
db.query.summary db.collection.name db.sql.table db.user db.connection_string db.response.status_code db.response.returned_rows
db.redis.database_index db.mongodb.collection db.stored_procedure.name
messaging.system messaging.operation messaging.operation.name messaging.operation.type messaging.destination.name messaging.message.id
messaging.destination messaging.destination_kind messaging.consumer.group.name messaging.client.id messaging.batch.message_count
messaging.message.body.size messaging.message.conversation_id messaging.kafka.message.key messaging.kafka.offset
messaging.kafka.consumer.group messaging.destination.partition.id messaging.rabbitmq.destination.routing_key
rpc.service rpc.grpc.request.metadata rpc.message.type rpc.message.id
thread.id thread.name code.function code.function.name code.namespace code.filepath code.file.path code.lineno code.line.number
enduser.id user.id user.name session.id session.previous.id peer.service service.name service.version service.namespace
service.instance.id telemetry.sdk.language telemetry.sdk.name deployment.environment.name host.name host.id os.type process.pid
container.id container.name k8s.pod.name k8s.pod.uid k8s.namespace.name k8s.node.name k8s.deployment.name k8s.container.name
cloud.provider cloud.region cloud.account.id cloud.availability_zone cloud.platform faas.trigger faas.invocation_id faas.coldstart
aws.request_id aws.region aws.service aws.operation aws.s3.bucket aws.dynamodb.table_names graphql.operation.name
graphql.operation.type graphql.document feature_flag.key feature_flag.variant tls.protocol.version dns.question.name
log.iostream log.file.name event.name error error.message otel.status_code otel.scope.name sampling.probability sampler.type
sampler.param component span.kind internal.span.format w3c.tracestate request_id tenant.id customer.id order.id job.id`)

// ordinary are attributes of healthy GenAI and agent telemetry.
var ordinary = strings.Fields(`
gen_ai.response.id gen_ai.response.model gen_ai.usage.input_tokens gen_ai.usage.output_tokens gen_ai.usage.cache_read.input_tokens
gen_ai.usage.cache_creation.input_tokens gen_ai.usage.reasoning.output_tokens gen_ai.usage.prompt_tokens gen_ai.usage.completion_tokens
gen_ai.usage.total_tokens gen_ai.request.max_tokens gen_ai.request.temperature gen_ai.request.top_p gen_ai.request.top_k gen_ai.request.seed
gen_ai.request.stop_sequences gen_ai.request.frequency_penalty gen_ai.request.presence_penalty gen_ai.request.choice.count
gen_ai.request.encoding_formats gen_ai.request.stream gen_ai.output.type gen_ai.conversation.id gen_ai.agent.id gen_ai.agent.description
gen_ai.agent.version gen_ai.tool.call.id gen_ai.tool.type gen_ai.tool.description gen_ai.tool.definitions gen_ai.data_source.id
gen_ai.embeddings.dimension.count gen_ai.system_instructions gen_ai.input.messages gen_ai.token.type openai.request.service_tier
openai.response.service_tier openai.response.system_fingerprint openai.api.type azure.resource_provider.namespace aws.bedrock.guardrail.id
mcp.session.id mcp.protocol.version mcp.resource.uri jsonrpc.request.id jsonrpc.protocol.version a2a.context.id a2a.message.id
llm.usage.total_tokens llm.is_streaming llm.headers llm.token_count.prompt llm.token_count.completion llm.token_count.total
llm.invocation_parameters input.value input.mime_type output.mime_type traceloop.workflow.name traceloop.entity.path
traceloop.association.properties.session_id logfire.msg logfire.json_schema ai.prompt.messages ai.usage.promptTokens
ai.usage.completionTokens ai.settings.maxRetries ai.telemetry.functionId ai.response.id ai.response.timestamp langsmith.trace.name
langfuse.trace.name langfuse.session.id`)
