// Writing to a sealed store: statements that write go to the tables behind the views, with their values sealed. The
// same is done with those that look for a row by a findable value, so that the engine can use its index.
import {
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  type DeleteQueryNode,
  FromNode,
  FunctionNode,
  IdentifierNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OnConflictNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  type QueryId,
  ReferenceNode,
  ReturningNode,
  SelectionNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import type { Table } from '../../rows.ts'
import type { Codec, Value } from './codec.ts'
import { howOf, rowKey, sealedOf, sealedTables } from './columns.ts'
import { isEmptyValue } from './views.ts'

export function sealingPlugin(codec: Codec, columns: ReadonlyMap<Table, string[]>): KyselyPlugin {
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === 'InsertQueryNode') return sealInsert(node, tableOf(node.into), queryId)
      if (node.kind === 'UpdateQueryNode') return sealUpdate(node, tableOf(node.table), queryId)
      if (node.kind === 'DeleteQueryNode') return sealDelete(node, tableOf(node.from.froms[0]), queryId)
      if (node.kind === 'SelectQueryNode') return sealFind(node, tableOf(node.from?.froms[0]), queryId)
      return node
    },
    transformResult: async ({ result }) => result,
  }

  function sealInsert(node: InsertQueryNode, table: Table | undefined, queryId: QueryId): InsertQueryNode {
    if (!table) return node
    const names = node.columns!.map(({ column }) => column.name)
    const { values } = node.values as ValuesNode
    const rows = values.map((list) => {
      const given = list.kind === 'ValueListNode' ? list.values.map(plainValue) : list.values
      return PrimitiveValueListNode.create(sealRow(table, names, given))
    })
    const { onConflict, returning } = node
    return {
      ...node,
      into: behind(table),
      values: ValuesNode.create(rows),
      ...(onConflict && { onConflict: unsealedUpdates(onConflict, table) }),
      ...(returning && { returning: openReturning(returning, table, queryId) }),
    }
  }

  function sealRow(table: Table, names: string[], given: readonly unknown[]): unknown[] {
    const row = rowKey(table).map((key) => given[names.indexOf(key)])
    return given.map((value, at) => {
      const how = howOf(table, names[at]!)
      if (!how || isEmptyValue(value)) return value
      const place = `${table}.${names[at]}`
      return how === 'findable' ? codec.sealFindable(value as string, place) : codec.seal(value as Value, place, row)
    })
  }

  function sealUpdate(node: UpdateQueryNode, table: Table | undefined, queryId: QueryId): UpdateQueryNode {
    if (!table) return node
    const { where, returning } = node
    const behindView = new BehindView(codec, table)
    return {
      ...node,
      table: behind(table),
      updates: node.updates!.map((update) => sealSet(table, update)),
      ...(where && { where: behindView.transformNode(where, queryId) }),
      ...(returning && { returning: openReturning(returning, table, queryId) }),
    }
  }

  function sealDelete(node: DeleteQueryNode, table: Table | undefined, queryId: QueryId): DeleteQueryNode {
    if (!table) return node
    const { where, returning } = node
    return {
      ...node,
      from: FromNode.create([behind(table)]),
      ...(where && { where: new BehindView(codec, table).transformNode(where, queryId) }),
      ...(returning && { returning: openReturning(returning, table, queryId) }),
    }
  }

  function sealFind(node: SelectQueryNode, table: Table | undefined, queryId: QueryId): SelectQueryNode {
    const { where, selections, orderBy } = node
    if (!table || !where || node.joins || !sealedOf(table).some(([, how]) => how === 'findable')) return node
    const behindView = new BehindView(codec, table)
    const found = behindView.transformNode(where, queryId)
    if (!behindView.hasFound) return node
    return {
      ...node,
      from: FromNode.create([behind(table)]),
      where: found,
      ...(selections && { selections: openSelections(selections, table, queryId) }),
      ...(orderBy && { orderBy: behindView.transformNode(orderBy, queryId) }),
    }
  }

  function openReturning(node: ReturningNode, table: Table, queryId: QueryId): ReturningNode {
    return ReturningNode.create(openSelections(node.selections, table, queryId))
  }

  function openSelections(selections: readonly SelectionNode[], table: Table, queryId: QueryId): SelectionNode[] {
    const behindView = new BehindView(codec, table)
    return selections.flatMap(({ selection }) => {
      const isAll =
        selection.kind === 'SelectAllNode' ||
        (selection.kind === 'ReferenceNode' && selection.column.kind === 'SelectAllNode')
      const some = isAll ? columns.get(table)!.map(referenceTo) : [selection]
      return some.map((one) => {
        const opened = behindView.transformNode(one as OperationNode, queryId)
        if (opened.kind !== 'FunctionNode' || one.kind !== 'ReferenceNode') return SelectionNode.create(opened as never)
        const { name } = (one.column as ColumnNode).column
        return SelectionNode.create(AliasNode.create(opened, IdentifierNode.create(name)))
      })
    })
  }
}

// Inside a statement on the table itself, columns are opened where they are read and findable values sealed where they
// are looked for. What is selected from elsewhere goes through the views.
class BehindView extends OperationNodeTransformer {
  hasFound = false
  readonly #codec: Codec
  readonly #table: Table

  constructor(codec: Codec, table: Table) {
    super()
    this.#codec = codec
    this.#table = table
  }

  override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return node
  }

  override transformReference(node: ReferenceNode): ReferenceNode {
    return openColumn(this.#table, node) as ReferenceNode
  }

  override transformBinaryOperation(node: BinaryOperationNode, queryId?: QueryId): BinaryOperationNode {
    const { leftOperand, operator, rightOperand } = node
    const column = columnOf(leftOperand)
    const isSame = OperatorNode.is(operator) && (operator.operator === '=' || operator.operator === 'in')
    if (!column || !isSame || howOf(this.#table, column) !== 'findable')
      return super.transformBinaryOperation(node, queryId)
    this.hasFound = true
    const seal = (value: unknown) => this.#codec.sealFindable(value as string, `${this.#table}.${column}`)
    return BinaryOperationNode.create(leftOperand, operator, mapValues(rightOperand, seal))
  }
}

function mapValues(node: OperationNode, act: (value: unknown) => unknown): OperationNode {
  if (ValueNode.is(node)) return ValueNode.create(act(node.value))
  if (PrimitiveValueListNode.is(node)) return PrimitiveValueListNode.create(node.values.map(act))
  if (ValueListNode.is(node)) return ValueListNode.create(node.values.map((one) => mapValues(one, act)))
  throw new Error('only values can be looked for in a sealed column')
}

// The row is known to the engine, which has the value sealed as it writes it.
function sealSet(table: Table, update: ColumnUpdateNode): ColumnUpdateNode {
  const column = columnOf(update.column)!
  const how = howOf(table, column)
  if (!how) return update
  if (!ValueNode.is(update.value)) throw new Error(`${table}.${column} is sealed: only a value can be set`)
  const row = how === 'findable' ? [] : rowKey(table).map(referenceTo)
  const place = ValueNode.createImmediate(`${table}.${column}`)
  const sealed = FunctionNode.create(how === 'findable' ? 'seal_findable' : 'seal_value', [update.value, place, ...row])
  return ColumnUpdateNode.create(update.column, sealed)
}

function openColumn(table: Table, node: ReferenceNode): OperationNode {
  const column = columnOf(node)
  const how = column && howOf(table, column)
  if (!how) return node
  const row = how === 'findable' ? [] : rowKey(table).map(referenceTo)
  const place = ValueNode.createImmediate(`${table}.${column}`)
  return FunctionNode.create(how === 'findable' ? 'open_findable' : 'open_value', [node, place, ...row])
}

function unsealedUpdates(node: OnConflictNode, table: Table): OnConflictNode {
  const sealed = node.updates?.find(({ column }) => howOf(table, columnOf(column)!))
  if (sealed) throw new Error(`${table}.${columnOf(sealed.column)} is sealed: it cannot be set on a conflict`)
  return node
}

function plainValue(node: OperationNode): unknown {
  if (ValueNode.is(node)) return node.value
  throw new Error('only values can be inserted into a sealed table')
}

function columnOf(node: OperationNode): string | undefined {
  if (ColumnNode.is(node)) return node.column.name
  return ReferenceNode.is(node) && ColumnNode.is(node.column) ? node.column.column.name : undefined
}

// Undefined for one that holds nothing sealed.
function tableOf(node: OperationNode | undefined): Table | undefined {
  if (!node || !TableNode.is(node) || node.table.schema) return undefined
  return sealedTables.find((name) => name === node.table.identifier.name)
}

const behind = (table: Table): TableNode => TableNode.createWithSchema('main', table)
const referenceTo = (column: string): ReferenceNode => ReferenceNode.create(ColumnNode.create(column))
